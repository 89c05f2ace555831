package dev.coir.examples.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.examples.server.Nonsense;
import dev.coir.examples.server.RepeatingChannel;
import dev.coir.examples.server.ScriptedChannel;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients send, in whatever pieces, and what they get. In the tables a bar stands for CR LF. */
class RedisConnectionTest {
    private final AtomicLong clock = new AtomicLong(1_000_000);
    private final Store store = new Store(clock::get, 1, () -> 1);

    private static String crlf(String text) {
        return text.replace("|", "\r\n");
    }

    /** A command as client libraries send it. */
    static String array(String... words) {
        var text = new StringBuilder("*" + words.length + "\r\n");
        for (String each : words)
            text.append("$").append(each.length()).append("\r\n").append(each).append("\r\n");
        return text.toString();
    }

    private ScriptedChannel serve(ScriptedChannel client) throws IOException {
        new RedisConnection(client, store).serve();
        return client;
    }

    private String answer(String... pieces) throws IOException {
        return serve(new ScriptedChannel(pieces)).written().replace("\r\n", "|");
    }

    /** Types a line, as in redis-cli. */
    private String type(String line) throws IOException {
        return answer(line + "\r\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            quoteCharacter = '`',
            value = {
                "PING > +PONG|",
                "ping > +PONG|",
                "PING hello > $5|hello|",
                "PING a b > -ERR wrong number of arguments for 'ping' command|",
                "ECHO hello > $5|hello|",
                "ECHO '' > $0||",
                "ECHO > -ERR wrong number of arguments for 'echo' command|",
                "GET nothing > $-1|",
                "GET number > $2|41|",
                "GET > -ERR wrong number of arguments for 'get' command|",
                "SET a b > +OK|",
                "SET a > -ERR wrong number of arguments for 'set' command|",
                "SET a b NX > +OK|",
                "SET text b nx > $-1|",
                "SET text b XX > +OK|",
                "SET a b xx > $-1|",
                "SET a b NX XX > -ERR syntax error|",
                "SET a b NOW > -ERR syntax error|",
                "SET a b EX > -ERR syntax error|",
                "SET a b EX 10 PX 10 > -ERR syntax error|",
                "SET a b EX 10 NX > +OK|",
                "SET a b EX 0 > -ERR invalid expire time in 'set' command|",
                "SET a b PX -1 > -ERR invalid expire time in 'set' command|",
                "SET a b EX 9223372036854775807 > -ERR invalid expire time in 'set' command|",
                "SET a b EX soon > -ERR value is not an integer or out of range|",
                "DEL text number nothing > :2|",
                "DEL > -ERR wrong number of arguments for 'del' command|",
                "EXISTS text text nothing > :2|",
                "INCR number > :42|",
                "DECR number > :40|",
                "INCR new > :1|",
                "DECR new > :-1|",
                "INCR text > -ERR value is not an integer or out of range|",
                "INCR most > -ERR increment or decrement would overflow|",
                "DECR least > -ERR increment or decrement would overflow|",
                "MGET text nothing number > *3|$5|hello|$-1|$2|41|",
                "MSET a 1 b 2 > +OK|",
                "MSET a 1 b > -ERR wrong number of arguments for 'mset' command|",
                "EXPIRE text 10 > :1|",
                "EXPIRE nothing 10 > :0|",
                "EXPIRE text soon > -ERR value is not an integer or out of range|",
                "EXPIRE text 9223372036854775807 > -ERR invalid expire time in 'expire' command|",
                "PEXPIRE text 10 > :1|",
                "TTL nothing > :-2|",
                "TTL text > :-1|",
                "PTTL nothing > :-2|",
                "DBSIZE > :4|",
                "FLUSHALL > +OK|",
                "SELECT 0 > +OK|",
                "SELECT 1 > -ERR DB index is out of range|",
                "SELECT one > -ERR value is not an integer or out of range|",
                "CONFIG GET save > *2|$4|save|$0||",
                "CONFIG GET APPENDONLY nothing > *2|$10|appendonly|$2|no|",
                "CONFIG SET save x > -ERR unknown subcommand 'SET' of 'config'|",
                "COMMAND COUNT > :21|",
                "COMMAND DOCS > *0|",
                "COMMAND WHAT > -ERR unknown subcommand 'WHAT' of 'command'|",
                "QUIT > +OK|",
                "BREW tea 'a b' > -ERR unknown command 'BREW', with args beginning with: 'tea' 'a b' |",
                "FLUSHALLX > -ERR unknown command 'FLUSHALLX', with args beginning with: |",
            })
    void commandsAnswerAsThoseOfRedisDo(String line, String expected) throws Exception {
        type("MSET text hello number 41 most 9223372036854775807 least -9223372036854775808");
        assertEquals(expected.strip(), type(line).strip());
    }

    @Test
    void keysExpireOnTheMillisecond() throws Exception {
        type("SET k v PX 1500");
        assertEquals(":1500|", type("PTTL k"));
        assertEquals(":2|", type("TTL k"));
        clock.addAndGet(1_499);
        assertEquals("$1|v|", type("GET k"));
        assertEquals(":1|", type("PTTL k"));
        clock.addAndGet(1);
        assertEquals("$-1|", type("GET k"));
        assertEquals(":-2|", type("TTL k"));
        assertEquals(":0|", type("DBSIZE"));
    }

    @Test
    void settingAKeyAgainMakesItStay() throws Exception {
        type("SET k v EX 1");
        type("SET k w");
        clock.addAndGet(10_000);
        assertEquals("$1|w|", type("GET k"));
        assertEquals(":-1|", type("TTL k"));
    }

    @Test
    void countingKeepsTheTimeOfAKey() throws Exception {
        type("SET n 1 EX 10");
        assertEquals(":2|", type("INCR n"));
        assertEquals(":10|", type("TTL n"));
    }

    @Test
    void aTimeInThePastRemovesAKey() throws Exception {
        type("SET k v");
        assertEquals(":1|", type("EXPIRE k -1"));
        assertEquals("$-1|", type("GET k"));
    }

    @Test
    void expiredKeysAreSweptAwayThoughNobodyAsksForThem() throws Exception {
        for (int i = 0; i < 5_000; i++) type("SET key" + i + " v PX " + (i % 2 == 0 ? 10 : 10_000));
        clock.addAndGet(10);
        assertEquals(":5000|", type("DBSIZE"));
        store.sweep();
        assertEquals(":2500|", type("DBSIZE"));
    }

    /** Lines and arrays after each other, in two pieces: cut at every place there is. */
    @Test
    void itDoesNotMatterWhereCommandsAreCut() throws Exception {
        String all = array("SET", "key", "some\r\nvalue") + "PING \"a b\"\r\n\r\n*0\r\n*-1\r\n" + array("GET", "key")
                + "ECHO x\n" + array("MGET", "key", "", "no") + array("PING");
        String expected = "+OK|$3|a b|$11|some|value|$1|x|*3|$11|some|value|$-1|$-1|+PONG|";
        for (int cut = 0; cut <= all.length(); cut++) {
            assertEquals(expected, answer(all.substring(0, cut), all.substring(cut)), "cut at " + cut);
        }
        assertEquals(expected, serve(ScriptedChannel.byteByByte(all)).written().replace("\r\n", "|"));
    }

    @Test
    void aPipelineIsAnsweredInOneWrite() throws Exception {
        ScriptedChannel client = serve(
                new ScriptedChannel(array("SET", "k", "v") + array("GET", "k").repeat(20)));
        assertEquals(List.of("+OK\r\n" + "$1\r\nv\r\n".repeat(20)), client.writes());
    }

    @Test
    void aVeryLongPipelineIsAnsweredInWritesOfBoundedLength() throws Exception {
        type("SET k " + "x".repeat(1000));
        ScriptedChannel client = serve(new ScriptedChannel(array("GET", "k").repeat(5_000)));
        assertEquals(5_000 * 1_009, client.written().length());
        assertTrue(client.writes().stream().allMatch(each -> each.length() < 70_000));
    }

    @Test
    void getMakesNoGarbage() throws Exception {
        type("SET key value");
        String commands = array("GET", "key") + array("GET", "no") + array("PING") + array("EXISTS", "key", "no");
        RepeatingChannel.assertAllocatesNothing(
                commands.getBytes(ISO_8859_1), client -> new RedisConnection(client, store).serve());
    }

    @Test
    void binaryKeysAndValuesComeBackAsTheyWere() throws Exception {
        var bytes = new byte[256];
        for (int i = 0; i < 256; i++) bytes[i] = (byte) i;
        String all = new String(bytes, ISO_8859_1);
        String answer = serve(new ScriptedChannel(array("SET", all, all) + array("GET", all)))
                .written();
        assertEquals("+OK\r\n$256\r\n" + all + "\r\n", answer);
    }

    @Test
    void aLargeValueComesBackAsItWas() throws Exception {
        String value = "0123456789abcdef".repeat(CommandReader.MAX_BULK / 16);
        String answer = serve(new ScriptedChannel(array("SET", "large", value), array("GET", "large")))
                .written();
        assertEquals("+OK\r\n$" + value.length() + "\r\n" + value + "\r\n", answer);
    }

    @Test
    void anAnswerThatWouldBeTooLongIsRefused() throws Exception {
        serve(new ScriptedChannel(array("SET", "k", "x".repeat(CommandReader.MAX_BULK))));
        assertTrue(type("MGET k k k k k k k k").startsWith("-ERR the values are longer than 64 MiB"));
        assertEquals("+PONG|", type("PING"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            quoteCharacter = '`',
            value = {
                "*x| > invalid multibulk length",
                "*| > invalid multibulk length",
                "*1048577| > invalid multibulk length",
                "*99999999999999999999| > invalid multibulk length",
                "*1|PING| > expected '$', got 'P'",
                "*1|\u0001| > expected '$', got '?'",
                "*2|$4|PING|:1| > expected '$', got ':'",
                "*1|$x| > invalid bulk length",
                "*1|$-1| > invalid bulk length",
                "*1|$8388609| > invalid bulk length",
                "*1|$4|PINGxx > expected CRLF behind a bulk",
                "ECHO \"a| > unbalanced quotes in request",
                "ECHO \"a\"b| > unbalanced quotes in request",
                "ECHO 'a| > unbalanced quotes in request",
            })
    void whatIsNoCommandIsAnsweredInTheWordsOfRedisAndEndsTheConnection(String sent, String complaint)
            throws Exception {
        String text = crlf(sent.strip());
        assertEquals("+PONG|-ERR Protocol error: " + complaint + "|", answer("PING\r\n" + text + "PING\r\n"));
        assertEquals(
                "-ERR Protocol error: " + complaint + "\r\n",
                serve(ScriptedChannel.byteByByte(text + "PING\r\n")).written());
    }

    @Test
    void longLinesWithoutAnEndAreRefused() throws Exception {
        String digits = "1".repeat(70_000);
        assertEquals("-ERR Protocol error: too big inline request|", answer("x".repeat(70_000)));
        assertEquals("-ERR Protocol error: too big mbulk count string|", answer("*" + digits));
        assertEquals("-ERR Protocol error: too big bulk count string|", answer("*1\r\n$" + digits));
    }

    @Test
    void aCommandOfTooManyLargeWordsIsRefused() throws Exception {
        String word = "$4194304\r\n" + "x".repeat(4_194_304) + "\r\n";
        assertEquals("-ERR Protocol error: too big command|", answer("*5\r\n", word, word, word, word));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ECHO \"a\\x41\\n\\t\\\"\\q\"", "ECHO 'a\\'b\\n'", "ECHO  \t a\"b\"", "  ECHO a'b' "})
    void quotesInTypedLinesMeanWhatTheyMeanInRedis(String line) throws Exception {
        String expected = switch (line) {
            case "ECHO \"a\\x41\\n\\t\\\"\\q\"" -> "$6\r\naA\n\t\"q\r\n";
            case "ECHO 'a\\'b\\n'" -> "$5\r\na'b\\n\r\n";
            default -> "$2\r\nab\r\n";
        };
        assertEquals(expected, serve(new ScriptedChannel(line + "\r\n")).written());
    }

    @Test
    void quitEndsTheConnection() throws Exception {
        assertEquals("+PONG|+OK|", answer("PING\r\nQUIT\r\nPING\r\n"));
    }

    @Test
    void infoTellsOfTheServer() throws Exception {
        type("SET k v");
        String info = type("INFO");
        assertTrue(info.contains("|db0:keys=1|") && info.contains("|total_commands_processed:2|"), info);
    }

    @Test
    void commandDescribesEachCommandInSixParts() throws Exception {
        String answer = type("COMMAND");
        assertTrue(answer.startsWith("*21|*6|$3|get|:2|*0|:1|:1|:1|"), answer);
        assertTrue(answer.contains("$4|mset|:-3|*0|:1|:-1|:2|"), answer);
    }

    /** Commands with bytes changed, inserted and left out: the same answers however they are cut, and no exception. */
    @Test
    void nonsenseNeverDoesHarm() throws Exception {
        String[] seeds = {
            array("SET", "key", "value"),
            array("GET", "key"),
            array("MGET", "a", "b"),
            "PING x\r\n",
            "SET \"a b\" 'c'\r\n",
            array("INCR", "n"),
            array("DEL", "key", "n")
        };
        var random = new Random(42);
        for (int round = 0; round < 20_000; round++) {
            String text = Nonsense.of(random, 4, seeds, "\r\n\"' \0*$:-019\\x\u00ff");
            int cut = random.nextInt(text.length() + 1);
            String whole = new RedisConnectionTest().answer(text);
            assertEquals(
                    whole,
                    new RedisConnectionTest().answer(text.substring(0, cut), text.substring(cut)),
                    () -> text + " cut at " + cut);
            assertTrue(whole.isEmpty() || whole.endsWith("|"), whole);
        }
    }
}
