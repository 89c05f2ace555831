package dev.coir.bench.servers;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every contestant starts and answers, whole pipelines too. Nothing is measured here. */
@Timeout(120)
class ServersTest {
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    private static void assertAnswersHello(Contestant contestant) throws Exception {
        assumeTrue(Tools.missing("taskset").isEmpty(), "taskset is missing: apt-get install util-linux");
        try (RunningServer server = RunningServer.start(contestant, 0);
                var client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            for (int pipeline : new int[] {1, 3, 40}) {
                client.getOutputStream().write(REQUEST.repeat(pipeline).getBytes(US_ASCII));
                String answers = read(client, pipeline * RequestEnds.ANSWER.length);
                assertEquals(pipeline + 1, answers.split("Hello, world!\n", -1).length, answers);
            }
            assertTrue(server.cpuSeconds() >= 0);
        }
    }

    private static String read(Socket client, int length) throws IOException {
        return new String(client.getInputStream().readNBytes(length), US_ASCII);
    }

    @Test
    void coirAnswersInAsManyBytesAsTheOthers() throws Exception {
        assertAnswersHello(Contestant.coir("Coir", "http", "light"));
    }

    @Test
    void theJdkAnswers() throws Exception {
        assertAnswersHello(Contestant.java("JDK", 1, List.of(), JdkHello.class.getName(), Contestant.PORT));
    }

    @Test
    void nettyAnswers() throws Exception {
        assertAnswersHello(Contestant.java("Netty", 1, List.of(), NettyHello.class.getName(), Contestant.PORT));
    }

    @Test
    void goAnswers(@TempDir Path folder) throws Exception {
        assumeTrue(Tools.missing("go").isEmpty(), () -> "go is missing: " + Tools.cure("go"));
        String program = NativeHello.go(folder).toString();
        assertAnswersHello(new Contestant("Go", List.of(program, Contestant.PORT), Map.of("GOMAXPROCS", "1"), 1));
    }

    @Test
    void aServerThatDoesNotStartIsSaidWithItsWords() {
        assumeTrue(Tools.missing("taskset").isEmpty(), "taskset is missing: apt-get install util-linux");
        var broken = new Contestant("Broken", List.of("sh", "-c", "echo no such luck"), Map.of(), 1);
        String said = "";
        try (RunningServer server = RunningServer.start(broken, 0)) {
            said = "it listens at " + server.port();
        } catch (IOException e) {
            said = String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        assertEquals("Broken does not listen: no such luck\n", said);
    }
}
