package dev.coir.examples.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.examples.server.IdleWatch;
import dev.coir.examples.server.Nonsense;
import dev.coir.examples.server.RepeatingChannel;
import dev.coir.examples.server.ScriptedChannel;
import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients send, in whatever pieces, and what they get. */
class HttpConnectionTest {
    private static final String GET = "GET /path?query HTTP/1.1\r\nHost: here:80\r\nAccept: */*\r\n\r\n";
    private static final String LAST = "GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n";
    private static final String OK = """
            HTTP/1.1 200 OK\r
            Date: Sun, 06 Nov 1994 08:49:37 GMT\r
            Content-Type: text/plain\r
            Content-Length: 14\r
            \r
            Hello, world!
            """;
    private static final String OK_LAST = OK.replace("GMT\r\n", "GMT\r\nConnection: close\r\n");

    private static HttpConnection connection(ByteChannel client, Answers answers) {
        return new HttpConnection(client, answers, new IdleWatch(0).add(() -> {}));
    }

    private static ScriptedChannel serve(ScriptedChannel client) throws IOException {
        connection(client, new Answers(Instant.parse("1994-11-06T08:49:37Z"))).serve();
        return client;
    }

    /** A bar is easier to read than the two characters that end a line. */
    private static String crlf(String text) {
        return text.replace("|", "\r\n");
    }

    private static String answer(String... pieces) throws IOException {
        return serve(new ScriptedChannel(pieces)).written();
    }

    private static int status(String... pieces) throws IOException {
        String answer = answer(pieces);
        assertTrue(answer.startsWith("HTTP/1.1 "), answer);
        return Integer.parseInt(answer.substring(9, 12));
    }

    /** The statuses of all answers. */
    private static List<String> statuses(String... pieces) throws IOException {
        return Pattern.compile("HTTP/1\\.1 (\\d+)")
                .matcher(answer(pieces))
                .results()
                .map(each -> each.group(1))
                .toList();
    }

    @Test
    void aRequestGetsTheGreeting() throws Exception {
        assertEquals(OK, answer(GET));
    }

    @Test
    void headGetsTheSameWithoutTheBody() throws Exception {
        assertEquals(OK.substring(0, OK.length() - "Hello, world!\n".length()), answer(GET.replace("GET", "HEAD")));
    }

    /** Three requests, two of them with bodies, in two pieces: cut at every place there is. */
    @Test
    void itDoesNotMatterWhereRequestsAreCut() throws Exception {
        String post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\nGET / HTTP/";
        String chunked = crlf("POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||"
                + "5|hello|A;ext=\"1\"|0123456789|0|Trailer: x||");
        String all = "\r\n" + GET + post + chunked + LAST;
        String expected = OK + OK + OK + OK_LAST;
        for (int cut = 0; cut <= all.length(); cut++) {
            assertEquals(expected, answer(all.substring(0, cut), all.substring(cut)), "cut at " + cut);
        }
        assertEquals(expected, serve(ScriptedChannel.byteByByte(all)).written());
    }

    @Test
    void aPipelineIsAnsweredInOneWrite() throws Exception {
        ScriptedChannel client = serve(new ScriptedChannel(GET.repeat(10)));
        assertEquals(List.of(OK.repeat(10)), client.writes());
    }

    @Test
    void aVeryLongPipelineIsAnsweredInSeveralWritesOfBoundedLength() throws Exception {
        ScriptedChannel client = serve(new ScriptedChannel(GET.repeat(20_000)));
        assertEquals(20_000 * OK.length(), client.written().length());
        int longest = client.writes().stream().mapToInt(String::length).max().orElseThrow();
        assertTrue(longest < 70_000, "a write of " + longest);
    }

    @Test
    void nothingIsAnsweredBehindTheLastRequest() throws Exception {
        assertEquals(OK + OK_LAST, answer(GET + LAST + GET));
    }

    @Test
    void aRequestThatIsNotFinishedGetsNoAnswer() throws Exception {
        assertEquals(OK, answer(GET + GET.substring(0, GET.length() - 1)));
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1, close, false", "HTTP/1.1, keep-alive, true", "HTTP/1.1, 'upgrade, CLOSE', false",
        "HTTP/1.1, 'close-not', true", "HTTP/1.1, ' , ,close ,', false", "HTTP/1.1, '', true",
        "HTTP/1.0, close, false", "HTTP/1.0, Keep-Alive, true", "HTTP/1.0, '', false",
        "HTTP/1.0, 'keep-alive, close', false", "HTTP/1.7, '', true"
    })
    void theConnectionFieldSaysWhetherToGoOn(String version, String connection, boolean goesOn) throws Exception {
        String request = "GET / " + version + "\r\nHost: x\r\nConnection: " + connection + "\r\n\r\n";
        String answers = answer(request + request);
        assertEquals(goesOn ? 3 : 2, answers.split("200 OK", -1).length, answers);
        assertEquals(!goesOn, answers.contains("Connection: close\r\n"));
        assertEquals(goesOn && version.equals("HTTP/1.0"), answers.contains("Connection: keep-alive\r\n"));
    }

    @Test
    void bodiesArePassedOverAndNeverTakenForRequests() throws Exception {
        assertEquals(
                OK + OK_LAST,
                answer("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + GET.length() + "\r\n\r\n" + GET + LAST));
        assertEquals(
                OK + OK_LAST,
                answer("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n"
                        + Integer.toHexString(GET.length()) + "\r\n" + GET + "\r\n000\r\n\r\n" + LAST));
    }

    @Test
    void aLargeBodyIsPassedOverInABufferOfAFewKilobytes() throws Exception {
        String body = "x".repeat(1024 * 1024);
        assertEquals(
                OK + OK_LAST, answer("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1048576\r\n\r\n" + body + LAST));
        assertEquals(
                OK + OK_LAST,
                answer("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "80000\r\n" + body.substring(0, 0x80000) + "\r\n80000\r\n" + body.substring(0, 0x80000)
                        + "\r\n0\r\n\r\n" + LAST));
    }

    @Test
    void aClientThatExpectsItIsToldToContinue() throws Exception {
        String head = "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\n";
        assertEquals(
                List.of("HTTP/1.1 100 Continue\r\n\r\n", OK),
                serve(new ScriptedChannel(head + "Content-Length: 3\r\n\r\n", "abc"))
                        .writes());
        assertEquals(OK, answer(head + "Content-Length: 0\r\n\r\n"));
        assertEquals(413, status(head + "Content-Length: 9999999\r\n\r\n"));
        assertEquals(417, status("GET / HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n"));
    }

    /** The status, and the request with \r\n written as a bar. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "400> GET / HTTP/1.1|Host: x||", // a blank in front
                "400>GET  / HTTP/1.1|Host: x||",
                "400>GET /  HTTP/1.1|Host: x||",
                "400>GET / HTTP/1.1 |Host: x||",
                "400>GET\t/ HTTP/1.1|Host: x||",
                "400>GET / |Host: x||",
                "400>GET /|Host: x||", // HTTP/0.9
                "400>GET / http/1.1|Host: x||",
                "400>GET / HTTP/1|Host: x||",
                "400>GET / HTTP/1.10|Host: x||",
                "400>GET / HTTP/x.1|Host: x||",
                "400>GET / HTTP/1.1\nHost: x\n\n", // bare LF
                "400>GET /\u0001 HTTP/1.1|Host: x||",
                "400>GET /\u00e9 HTTP/1.1|Host: x||",
                "400>GET path HTTP/1.1|Host: x||",
                "400>G@T / HTTP/1.1|Host: x||",
                "400>|@", // an empty line is passed over, then nonsense
                "400>\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc", // TLS
                "400>GET / HTTP/1.1||", // no Host
                "400>GET / HTTP/1.1|Host: x|Host: x||",
                "400>GET / HTTP/1.1|Host: a b||",
                "400>GET / HTTP/1.1|Host: a/b||",
                "400>GET / HTTP/1.1|Host : x||",
                "400>GET / HTTP/1.1| Host: x||",
                "400>GET / HTTP/1.1|Host: x| folded||",
                "400>GET / HTTP/1.1|Host: x|No colon||",
                "400>GET / HTTP/1.1|Host: x|: nameless||",
                "400>GET / HTTP/1.1|Host: x|A: \u0000||",
                "400>GET / HTTP/1.1|Host: x|A: b\rc||",
                "400>GET / HTTP/1.1|Host: x|A: b\n||",
                "400>GET / HTTP/1.1|Host: x\r\r\n||",
                "400>POST / HTTP/1.1|Host: x|Content-Length: ||",
                "400>POST / HTTP/1.1|Host: x|Content-Length: -1||",
                "400>POST / HTTP/1.1|Host: x|Content-Length: +1||",
                "400>POST / HTTP/1.1|Host: x|Content-Length: 0x1||",
                "400>POST / HTTP/1.1|Host: x|Content-Length: 1 1||",
                "400>POST / HTTP/1.1|Host: x|Content-Length: 1, 1||",
                "400>POST / HTTP/1.1|Host: x|Content-Length: 1|Content-Length: 1||x",
                "400>POST / HTTP/1.1|Host: x|Content-Length: 1|Transfer-Encoding: chunked||0||",
                "400>POST / HTTP/1.0|Host: x|Transfer-Encoding: chunked||0||",
                "400>POST / HTTP/1.1|Host: x|Transfer-Encoding: gzip||",
                "400>POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked, gzip||",
                "400>POST / HTTP/1.1|Host: x|Transfer-Encoding: xchunked||",
                "400>POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked|Transfer-Encoding: chunked||0||",
                "501>POST / HTTP/1.1|Host: x|Transfer-Encoding: gzip, chunked||0||",
                "400>POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||g|",
                "400>POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||-1|",
                "400>POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||1g|",
                "400>POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked|||",
                "400>POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||1\na|",
                "400>POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||1|ab|",
                "400>POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||1|a\r\r",
                "400>POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||0|bad trailer||",
                "413>POST / HTTP/1.1|Host: x|Content-Length: 1048577||",
                "413>POST / HTTP/1.1|Host: x|Content-Length: 99999999999999999999999||",
                "413>POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||100001|",
                "413>POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||fffffffffffffffffffff|",
                "413>POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||1|a|100000|",
                "501>BREW / HTTP/1.1|Host: x||",
                "501>get / HTTP/1.1|Host: x||",
                "501>OPTIONS * HTTP/1.1|Host: x||",
                "501>CONNECT x:443 HTTP/1.1|Host: x||",
                "505>PRI * HTTP/2.0||SM||",
                "505>GET / HTTP/0.9|Host: x||",
                "505>GET / HTTP/3.0|Host: x||",
            })
    void whatIsWrongIsRefusedAndTheConnectionEnds(String statusAndRequest) throws Exception {
        String status = statusAndRequest.substring(0, 3);
        String text = crlf(statusAndRequest.substring(4));
        String whole = answer(text + LAST);
        assertTrue(whole.startsWith("HTTP/1.1 " + status + " "), whole);
        assertTrue(whole.contains("\r\nConnection: close\r\n"), whole);
        assertEquals(1, statuses(text + LAST).size(), "something was answered behind the refusal");
        assertEquals(whole, serve(ScriptedChannel.byteByByte(text + LAST)).written());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET http://here/path HTTP/1.1|Host: here||",
                "GET / HTTP/1.1|host:x||",
                "GET / HTTP/1.1|HOST: \t [::1]:80 \t||",
                "GET / HTTP/1.1|Host:||",
                "GET / HTTP/1.1|Host: x|Empty:|Odd!#$%&'*+-.^_`~: \u00e9\t~||",
                "||||GET / HTTP/1.1|Host: x||",
                "GET / HTTP/1.1|Host: x|Content-Length: 0||",
                "GET / HTTP/1.1|Host: x|Content-Length: 0000000000000000000000000||",
                "POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||0001 ;x=y|a|0||",
            })
    void whatIsUnusualButRightIsServed(String request) throws Exception {
        assertEquals(200, status(crlf(request)));
    }

    @Test
    void tooLongLinesAndTooManyFieldsAreRefusedBeforeTheyAreComplete() throws Exception {
        String fields = "A: b\r\n".repeat(2_000);
        assertEquals(414, status("GET /" + "x".repeat(10_000)));
        assertEquals(414, status("GET /" + "x".repeat(10_000) + " HTTP/1.1\r\nHost: x\r\n\r\n"));
        assertEquals(414, status("\r\n".repeat(10_000)));
        assertEquals(431, status("GET / HTTP/1.1\r\nHost: x\r\nLong: " + "x".repeat(10_000)));
        assertEquals(431, status("GET / HTTP/1.1\r\nHost: x\r\n" + "x".repeat(10_000)));
        assertEquals(431, status("GET / HTTP/1.1\r\nHost: x\r\n" + fields));
        String chunked = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
        assertEquals(431, status(chunked + "1;" + "x".repeat(10_000)));
        assertEquals(431, status(chunked + "0\r\n" + fields));
        String fits = "GET / HTTP/1.1\r\nHost: x\r\nLong: " + "x".repeat(8_000) + "\r\n\r\n";
        assertEquals(OK + OK, answer(fits + fits));
    }

    /** Requests with bytes changed, inserted and left out: always whole answers of known kinds, never an exception. */
    @Test
    void nonsenseNeverDoesHarm() throws Exception {
        String[] seeds = {
            GET,
            LAST,
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nA: b\r\n\r\n"
        };
        List<Integer> known = List.of(100, 200, 400, 413, 414, 417, 431, 501, 505);
        var random = new Random(42);
        for (int round = 0; round < 20_000; round++) {
            String text = Nonsense.of(random, 3, seeds, "\r\n\t \0:;,09afAF\u00ff");
            int cut = random.nextInt(text.length() + 1);
            String whole = answer(text);
            assertEquals(whole, answer(text.substring(0, cut), text.substring(cut)), () -> text + " cut at " + cut);
            for (String each : statuses(text)) assertTrue(known.contains(Integer.valueOf(each)), whole);
            assertFalse(whole.contains("Connection: close") && !endsThere(whole), () -> text + "\ngot:\n" + whole);
        }
    }

    private static boolean endsThere(String answers) {
        String last = answers.substring(answers.indexOf("Connection: close"));
        return !last.contains("HTTP/1.1 200") && last.split("HTTP/1.1 ", -1).length == 1;
    }

    @Test
    void aRequestMakesNoGarbage() throws Exception {
        var answers = new Answers(Instant.EPOCH);
        String requests = GET.repeat(3) + crlf("POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||2|ab|0||");
        RepeatingChannel.assertAllocatesNothing(
                requests.getBytes(US_ASCII),
                client -> connection(client, answers).serve());
    }

    @Test
    void theDateIsRenewed() throws Exception {
        var answers = new Answers(Instant.parse("1994-11-06T08:49:37Z"));
        answers.renew(Instant.parse("2026-01-02T03:04:05Z"));
        var client = new ScriptedChannel(GET);
        connection(client, answers).serve();
        assertTrue(client.written().contains("\r\nDate: Fri, 02 Jan 2026 03:04:05 GMT\r\n"), client.written());
        assertEquals(2, Arrays.asList(client.written().split("\r\n\r\n", -1)).size());
    }
}
