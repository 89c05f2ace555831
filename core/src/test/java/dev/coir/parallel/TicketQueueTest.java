package dev.coir.parallel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.testing.Callers;
import dev.coir.testing.Crowd;
import dev.coir.testing.Schedulers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
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

    /** Not one of them may believe that it is its turn, for another has that. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 64})
    void thoseWhoAwaitATicketThatIsDoneBeforeItsTurnAreTold(int workers) throws Exception {
        Scheduler scheduler = Schedulers.start(workers);
        var queue = new TicketQueue();
        List<TicketQueue.Ticket> tickets = queue.take(3);
        TicketQueue.Ticket early = tickets.get(1);
        List<Callers.Call<IllegalStateException>> waits = new ArrayList<>();
        for (Callers kind : Callers.values()) {
            waits.add(kind.start(scheduler, () -> assertThrows(IllegalStateException.class, early::await)));
            waits.add(kind.start(
                    scheduler, () -> assertThrows(IllegalStateException.class, () -> early.await(Duration.ofDays(1)))));
        }
        Fiber<Void> body = early.onTurn(() -> {
            throw new AssertionError("it has no turn");
        });
        Crowd.until(() -> body.status() == Fiber.Status.WAITING);
        for (var each : waits) each.untilWaiting();
        early.done();
        for (var each : waits) {
            assertEquals(
                    "this ticket was done before its turn and will have none; take another: TicketQueue[2 not done]",
                    each.get().getMessage());
        }
        assertInstanceOf(
                IllegalStateException.class,
                assertThrows(CompletionException.class, body::join).getCause());
        assertFalse(early.isTurn());
        tickets.get(0).done();
        assertFalse(early.isTurn());
        assertThrows(IllegalStateException.class, early::await);
        assertTrue(tickets.get(2).isTurn());
        Schedulers.close(scheduler);
    }

    /** Whether a ticket had its turn is decided once: either all who await it have it, or none of them. */
    @Test
    void doneRacingTheTurnIsSeenAlikeByAllWhoAwait() throws Exception {
        for (int round = 0; round < 500; round++) {
            var queue = new TicketQueue();
            List<TicketQueue.Ticket> tickets = queue.take(3);
            var turns = new AtomicInteger();
            Crowd.run(4, index -> {
                if (index < 2) {
                    tickets.get(index).done();
                    return;
                }
                try {
                    tickets.get(1).await();
                    turns.incrementAndGet();
                } catch (IllegalStateException givenUp) {
                    assertFalse(tickets.get(1).isTurn());
                }
            });
            assertEquals(tickets.get(1).isTurn() ? 2 : 0, turns.get());
            assertTrue(tickets.get(2).isTurn());
        }
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
