package dev.coir.parallel;

import dev.coir.fiber.Fiber;
import dev.coir.internal.SpinGuard;
import dev.coir.internal.StackRoom;
import dev.coir.internal.wait.WaitQueue;
import dev.coir.sync.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ordered turns: each ticket's turn comes when all that were taken before it are done, whatever order their work ends in.
 *
 * {@snippet :
 * var queue = new TicketQueue();
 * for (Page page : pages) {
 *     TicketQueue.Ticket ticket = queue.take();
 *     Fiber.go(() -> {
 *         String text = render(page);      // all at once
 *         ticket.await();                  // in the order of the pages
 *         out.println(text);
 *         ticket.done();
 *         return null;
 *     });
 * }
 * }
 */
public final class TicketQueue {
    /** A place in the order. Whoever has it must make it {@link #done}, or nobody behind it will have its turn. */
    public static final class Ticket implements AutoCloseable {
        private final TicketQueue queue;
        private final Event turn = Event.manual();
        private final Place place = new Place(this);
        private volatile boolean givenUp; // written under the queue's guard, and before turn is signalled for it

        private Ticket(TicketQueue queue) {
            this.queue = queue;
        }

        /**
         * Waits until it is this ticket's turn.
         *
         * @throws InterruptedException when interrupted or cancelled; the ticket keeps its place
         * @throws IllegalStateException when the ticket is done before its turn, by whomever: it will have none
         */
        public void await() throws InterruptedException {
            turn.await();
            ensureNotGivenUp();
        }

        /**
         * Waits until it is this ticket's turn, not for ever.
         *
         * @param timeout how long
         * @return whether it is
         * @throws InterruptedException when interrupted or cancelled; the ticket keeps its place
         * @throws IllegalStateException when the ticket is done before its turn, by whomever: it will have none
         */
        public boolean await(Duration timeout) throws InterruptedException {
            boolean signalled = turn.await(Objects.requireNonNull(timeout, "timeout"));
            ensureNotGivenUp();
            return signalled;
        }

        private void ensureNotGivenUp() {
            if (givenUp) {
                throw new IllegalStateException(
                        "this ticket was done before its turn and will have none; take another: " + queue);
            }
        }

        /**
         * Whether all tickets before it are done.
         *
         * @return true from then on; never, when this one was done before its turn
         */
        public boolean isTurn() {
            return turn.isSignalled() && !givenUp;
        }

        /**
         * Gives the place up, also before its turn; whoever awaits that turn is told that it will not come. A second time does
         * nothing.
         */
        public void done() {
            queue.done(this);
        }

        /** The same as {@link #done}, for try-with-resources. */
        @Override
        public void close() {
            done();
        }

        /**
         * Runs a body in a fiber on the current executor when the turn comes; then the ticket is done.
         *
         * @param body what to run
         * @return the fiber; cancelled before the body has begun, it gives the place up and does not begin. When somebody else
         *     gives the place up before the turn, it fails with the {@link IllegalStateException} of {@link #await()}
         */
        public Fiber<@Nullable Void> onTurn(Runnable body) {
            Objects.requireNonNull(body, "body");
            return Fiber.go(() -> {
                try (this) {
                    await();
                    if (!Objects.requireNonNull(Fiber.current()).isCancelled())
                        body.run(); // its turn may come before it notices
                }
                return null;
            });
        }
    }

    private static final class Place extends WaitQueue.Link {
        final Ticket ticket;

        Place(Ticket ticket) {
            this.ticket = ticket;
        }
    }

    private final SpinGuard guard = new SpinGuard();
    private final WaitQueue<Place> places = new WaitQueue<>(); // guarded by guard; the first has its turn

    /** An order that begins. */
    public TicketQueue() {}

    /**
     * Takes the next ticket.
     *
     * @return the ticket
     */
    public Ticket take() {
        return take(1).getFirst();
    }

    /**
     * Takes tickets that follow each other.
     *
     * @param number how many
     * @return the tickets, in their order
     * @throws IllegalArgumentException when negative
     */
    public List<Ticket> take(int number) {
        if (number < 0) throw new IllegalArgumentException("number: " + number + " (expected: 0 or more)");
        StackRoom.ensureMore();
        List<Ticket> taken = new ArrayList<>(number);
        for (int i = 0; i < number; i++) taken.add(new Ticket(this));
        guard.acquire();
        for (Ticket each : taken) places.addLast(each.place);
        Place first = places.first();
        guard.release();
        if (first != null) first.ticket.turn.signal();
        return taken;
    }

    private void done(Ticket ticket) {
        StackRoom.ensureMore();
        guard.acquire();
        boolean early = places.first() != ticket.place;
        boolean givesUp = places.remove(ticket.place) && early;
        if (givesUp) ticket.givenUp = true;
        Place first = places.first();
        guard.release();
        if (givesUp) ticket.turn.signal();
        if (first != null) first.ticket.turn.signal();
    }

    @Override
    public String toString() {
        guard.acquire();
        int size = places.size();
        guard.release();
        return "TicketQueue[" + size + " not done]";
    }
}
