package dev.coir.parallel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.fiber.Fiber;
import dev.coir.testing.Crowd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TicketQueueTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void turnsComeInTheOrderOfTheTickets(int workers) {
        ParallelTest.inFibers(workers, () -> {
            var queue = new TicketQueue();
            List<Integer> order = new ArrayList<>(); // plain on purpose: one turn at a time
            List<TicketQueue.Ticket> tickets = queue.take(50);
            Parallel.forEach(0, 50, i -> {
                try (var ticket = tickets.get(49 - i)) {
                    ticket.await();
                    order.add(49 - i);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            assertEquals(IntStream.range(0, 50).boxed().toList(), order);
            assertEquals("TicketQueue[0 not done]", queue.toString());
        });
    }

    @Test
    void whoeverIsDoneEarlyIsSkipped() throws Exception {
        var queue = new TicketQueue();
        List<TicketQueue.Ticket> tickets = queue.take(4);
        assertTrue(tickets.get(0).isTurn());
        assertFalse(tickets.get(1).isTurn());
        tickets.get(1).done();
        tickets.get(2).close();
        assertFalse(tickets.get(3).isTurn());
        assertFalse(tickets.get(3).await(Duration.ofMillis(1)));
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, tickets.get(3)::await);
        tickets.get(0).done();
        tickets.get(0).done();
        tickets.get(3).await();
        assertTrue(tickets.get(3).await(Duration.ZERO));
        tickets.get(3).done();
        var next = queue.take();
        assertTrue(next.isTurn());
        assertTrue(queue.take(0).isEmpty());
        assertThrows(IllegalArgumentException.class, () -> queue.take(-1));
    }

    @Test
    void aBodyRunsWhenItsTurnComesAndACancelledOneGivesItsPlaceUp() {
        var queue = new TicketQueue();
        List<TicketQueue.Ticket> tickets = queue.take(3);
        List<Integer> order = new ArrayList<>();
        Fiber<Void> third = tickets.get(2).onTurn(() -> order.add(3));
        Fiber<Void> second = tickets.get(1).onTurn(() -> order.add(2));
        Crowd.until(() -> second.status() == Fiber.Status.WAITING);
        second.cancel(true);
        tickets.get(0).onTurn(() -> order.add(1)).join();
        third.join();
        assertEquals(List.of(1, 3), order);
    }
}
