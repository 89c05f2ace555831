package dev.coir.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The watchdog itself must bite. */
class WatchdogTest {
    @Test
    void aBodyThatHangsFailsWithTheStackItHangsIn() {
        var never = new CountDownLatch(1);
        var failure = assertThrows(
                AssertionError.class, () -> Watchdog.call("hanging", Duration.ofMillis(50), () -> hang(never)));
        assertTrue(failure.getMessage().contains("hanging did not end within PT0.05S"), failure.getMessage());
        assertTrue(failure.getMessage().contains("WatchdogTest.hang"), failure.getMessage());
    }

    @Test
    void aBodyThatHangsFailsWithWhatWasToBeShown() {
        var never = new CountDownLatch(1);
        Watchdog.show("the state of something");
        var failure = assertThrows(
                AssertionError.class, () -> Watchdog.call("hanging", Duration.ofMillis(50), () -> hang(never)));
        Watchdog.hide("the state of something");
        assertTrue(failure.getMessage().contains("the state of something"), failure.getMessage());
    }

    @Test
    void whatTheBodyThrowsLeavesUnchanged() {
        var thrown = new IOException("as it was");
        var caught = assertThrows(
                IOException.class,
                () -> Watchdog.call("throwing", Duration.ofSeconds(10), () -> {
                    throw thrown;
                }));
        assertEquals(thrown, caught);
    }

    @Test
    void everyTestOfTheSuiteRunsUnderIt() {
        assertTrue(Thread.currentThread().getName().startsWith("test "), Thread.currentThread()::getName);
    }

    private static Object hang(CountDownLatch never) throws InterruptedException {
        never.await();
        return never;
    }
}
