package dev.coir.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.sync.Latch;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FlightNumbersTest {
    private static final String EVENT = "dev.coir.SchedulerNumbers";

    @Test
    void aRecordingHoldsTheNumbers() throws Exception {
        try (var scheduler = Scheduler.builder().name("mill").workers(2).start();
                var numbers = FlightNumbers.of(scheduler);
                var stream = new RecordingStream()) {
            var gate = new Latch(1);
            for (int i = 0; i < 7; i++) {
                Fiber.go(scheduler, () -> {
                    gate.await();
                    return null;
                });
            }
            scheduler.awaitIdle();
            BlockingQueue<RecordedEvent> events = new LinkedBlockingQueue<>();
            stream.enable(EVENT).withPeriod(Duration.ofMillis(50));
            stream.onEvent(EVENT, events::add);
            stream.setReuse(false);
            stream.startAsync();
            RecordedEvent event = events.take();
            assertEquals("mill", event.getString("scheduler"));
            assertEquals(2, event.getInt("workers"));
            assertEquals(7, event.getInt("suspendedFibers"));
            assertTrue(event.getLong("ran") >= 7, event::toString);
            gate.countDown();
        }
    }

    @Test
    void closedItTellsNothingMore() throws Exception {
        try (var mill = Scheduler.builder().name("mill").workers(1).start();
                var forge = Scheduler.builder().name("forge").workers(1).start();
                var stays = FlightNumbers.of(forge);
                var stream = new RecordingStream()) {
            var ends = FlightNumbers.of(mill);
            ends.close();
            ends.close();
            BlockingQueue<String> told = new LinkedBlockingQueue<>();
            stream.enable(EVENT).withPeriod(Duration.ofMillis(20));
            stream.onEvent(EVENT, event -> told.add(event.getString("scheduler")));
            stream.startAsync();
            for (int i = 0; i < 5; i++) assertEquals("forge", told.take());
        }
    }

    @Test
    void nullIsRefusedByName() {
        assertEquals(
                "scheduler",
                assertThrows(NullPointerException.class, () -> FlightNumbers.of(null))
                        .getMessage());
    }
}
