package dev.coir.channel;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** Selects whose party spins. */
public final class QuietSelect {
    private QuietSelect() {}

    /** What the chosen clause gives; 0 when none could happen, though both were offered; -1 when closed. */
    static int orGiveUp(Clause<Integer> one, Clause<Integer> other) {
        return select(Impatient::new, ThreadLocalRandom.current()::nextInt, one, other);
    }

    /** As {@code orGiveUp}; if both can happen the second does. */
    public static int secondOrGiveUp(Clause<Integer> one, Clause<Integer> other) {
        return select(Impatient::new, bound -> 0, one, other);
    }

    /** As {@code orGiveUp}, without giving up. */
    static int select(Clause<Integer> one, Clause<Integer> other) {
        return select(Spinning::new, ThreadLocalRandom.current()::nextInt, one, other);
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    private static int select(Supplier<Selection> party, IntUnaryOperator below, Clause<Integer>... clauses) {
        try {
            return new Choice<Integer>(clauses, below).make(party);
        } catch (ChannelClosedException e) {
            return -1;
        } catch (InterruptedException e) {
            return 0;
        }
    }

    private static class Spinning extends Selection {
        private final AtomicBoolean permit = new AtomicBoolean();

        Spinning() {
            super("spinning");
        }

        @Override
        protected void park(String reason, long deadlineNanos) {
            Quiet.spin(permit);
        }

        @Override
        public void unpark() {
            permit.set(true);
        }

        @Override
        public boolean takeInterrupt() {
            return false;
        }
    }

    /** Is interrupted as soon as it waits: it stands in the queues, and gives up at once. */
    private static final class Impatient extends Spinning {
        @Override
        public boolean takeInterrupt() {
            return true;
        }

        @Override
        protected void restoreInterrupt() {} // it came too late
    }
}
