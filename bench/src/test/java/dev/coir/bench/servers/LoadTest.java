package dev.coir.bench.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Load generators as programs: what they say, and how busy they were. */
@Timeout(60)
class LoadTest {
    private final Load shell = new Load("a shell", 0) {
        @Override
        Run run(int port, double seconds) {
            throw new UnsupportedOperationException();
        }
    };

    @BeforeEach
    void needsTaskset() {
        assumeTrue(Tools.missing("taskset").isEmpty(), () -> "taskset is missing: " + Tools.cure("taskset"));
    }

    /** However busy the machine is: who waits has no processor time, and who computes has some. */
    @Test
    void whoComputesIsBusyAndWhoWaitsIsNot() throws Exception {
        Load.Said computing = shell.command("sh", "-c", "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done; echo done");
        Load.Said waiting = shell.command("sleep", "0.5");
        assertEquals("done\n", computing.text());
        assertTrue(computing.busy() > 2 * waiting.busy(), computing + " and " + waiting);
        assertTrue(computing.busy() <= 1.1 && waiting.busy() < 0.2, computing + " and " + waiting);
    }

    @Test
    void aLoadThatFailsIsSaidWithItsWords() {
        var failure = assertThrows(IOException.class, () -> shell.command("sh", "-c", "echo no luck; exit 3"));
        assertEquals("sh failed: no luck\n", failure.getMessage());
    }

    @Test
    void wrkTellsItsRateAndHowBusyItWas() throws Exception {
        assumeTrue(Tools.missing("wrk").isEmpty(), () -> "wrk is missing: " + Tools.cure("wrk"));
        var jdk = Contestant.java("JDK", 1, List.of(), JdkHello.class.getName(), Contestant.PORT);
        try (RunningServer server = RunningServer.start(jdk, 0)) {
            Load.Run run = Load.wrk(4, 0).run(server.port(), 1);
            assertTrue(run.rate() > 0, run.toString());
            assertTrue(run.busy() > 0 && run.busy() <= 1.1, run.toString());
        }
    }
}
