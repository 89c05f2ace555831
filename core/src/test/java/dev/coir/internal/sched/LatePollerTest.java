package dev.coir.internal.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LatePollerTest {
    /** A wake-up and an installation at the same moment: the poll that waits, or the next one, ends. */
    @Test
    void aWakeUpIsNotLostToAnInstallation() throws Exception {
        for (int i = 0; i < 400; i++) {
            var late = new LatePoller();
            var polled = new CountDownLatch(1);
            var installed = new CountDownLatch(1);
            Thread polling = Thread.ofPlatform().start(() -> {
                boolean isLast;
                do { // installing ends a poll as well; after that it must be the wake-up that does
                    isLast = installed.getCount() == 0;
                    late.poll(Long.MAX_VALUE);
                } while (!isLast && late.current() instanceof NoIoPoller);
                polled.countDown();
            });
            Thread installing = Thread.ofPlatform().start(() -> {
                late.install(FakePoller::new);
                installed.countDown();
            });
            late.wakeUp();
            installing.join();
            late.wakeUp();
            assertTrue(polled.await(20, TimeUnit.SECONDS));
            polling.join();
        }
    }

    @Test
    void whoSleepsInTheOldOneIsSentToTheNewOne() throws Exception {
        var late = new LatePoller();
        Thread polling = Thread.ofPlatform().start(() -> {
            while (late.current() instanceof NoIoPoller) late.poll(Long.MAX_VALUE);
        });
        late.install(FakePoller::new);
        polling.join();
    }

    @Test
    void theFirstOneStaysAndAClosedOneTakesNone() {
        var late = new LatePoller();
        var fake = new FakePoller();
        assertSame(fake, late.install(() -> fake));
        assertSame(fake, late.install(FakePoller::new));
        fake.watching = true;
        assertTrue(late.isWatching());
        late.close();
        assertTrue(fake.closed);
        assertNull(late.install(FakePoller::new));
        assertEquals(fake, late.current());
    }
}
