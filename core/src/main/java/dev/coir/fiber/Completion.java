package dev.coir.fiber;

import dev.coir.internal.Apart;
import dev.coir.internal.task.Live;
import dev.coir.internal.wait.Waiter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A task with an outcome that comes once, and those who wait for it. A class between task and fiber, and not a part of the
 * fiber, so that each fiber is one object less.
 */
abstract class Completion<T extends @Nullable Object> extends Live {
    /*
     * outcome: null, then for ever a Failure, CANCELLED, NOTHING (a null result) or the result itself.
     * waiters: a stack; empty once there is an outcome.
     *
     * F1. Who completes sets the outcome first and looks for waiters after; who waits pushes itself first and looks for the
     *     outcome after. Both write by compare-and-set, so one of the two sees the other, and signals all that it finds. A
     *     fiber that nobody waits for pays for the outcome alone. Guarded by CompletionStress.
     */
    private record Failure(Throwable cause) {}

    private static final Failure UNKNOWN =
            new Failure(new OutOfMemoryError("a fiber has failed, and the heap had no room to keep the reason"));
    private static final Object NOTHING = new Object();
    private static final Object CANCELLED = new Object();
    private static final VarHandle OUTCOME;
    private static final VarHandle WAITERS;

    static {
        try {
            var lookup = MethodHandles.lookup();
            OUTCOME = lookup.findVarHandle(Completion.class, "outcome", Object.class);
            WAITERS = lookup.findVarHandle(Completion.class, "waiters", Joiner.class);
            Apart.prepare();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<Completion, @Nullable Object> OUTCOME_AT_ONCE =
            AtomicReferenceFieldUpdater.newUpdater(Completion.class, Object.class, "outcome");

    private volatile @Nullable Object outcome;
    private volatile @Nullable Joiner waiters;

    final boolean succeed(T result) {
        return complete(result == null ? NOTHING : result);
    }

    final boolean fail(Throwable cause) {
        return complete(failure(cause));
    }

    /** Who waits must not wait for ever because the heap is full, which may be why it failed. */
    private static Failure failure(Throwable cause) {
        try {
            return new Failure(cause);
        } catch (OutOfMemoryError full) {
            return UNKNOWN;
        }
    }

    /** As {@link #fail}, where that has found no memory: handles need some at their first use, and this needs none. */
    final void failForWantOfMemory() {
        if (OUTCOME_AT_ONCE.compareAndSet(this, null, UNKNOWN) && waiters != null) signalAll();
    }

    final boolean settleAsCancelled() {
        return complete(CANCELLED);
    }

    private boolean complete(Object value) {
        if (!OUTCOME.compareAndSet(this, null, value)) return false;
        if (waiters != null) signalAll();
        return true;
    }

    private void signalAll() {
        Joiner each = (Joiner) WAITERS.getAndSet(this, null);
        while (each != null) {
            Joiner following = each.next;
            each.next = null;
            each.signal();
            each = following;
        }
    }

    final boolean isSettled() {
        return outcome != null;
    }

    final boolean isSettledAsCancelled() {
        return outcome == CANCELLED;
    }

    final T result(String reason) throws InterruptedException, ExecutionException {
        if (await(reason, Long.MAX_VALUE, true) == Waiter.Outcome.INTERRUPTED) throw new InterruptedException();
        return report();
    }

    final T result(String reason, long timeoutNanos, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        long deadline = Waiter.deadlineIn(timeoutNanos);
        return switch (await(reason, deadline, true)) {
            case INTERRUPTED -> throw new InterruptedException();
            case TIMED_OUT ->
                throw new TimeoutException("no result after " + unit.convert(timeoutNanos, TimeUnit.NANOSECONDS) + " "
                        + unit.toString().toLowerCase(Locale.ROOT));
            case SIGNALLED -> report();
        };
    }

    final T resultWhateverHappens(String reason) {
        await(reason, Long.MAX_VALUE, false);
        if (outcome instanceof Failure(Throwable cause)) {
            throw cause instanceof CompletionException already ? already : new CompletionException(cause);
        }
        return result();
    }

    private T report() throws ExecutionException {
        if (outcome instanceof Failure(Throwable cause)) throw new ExecutionException(cause);
        return result();
    }

    @SuppressWarnings({"unchecked", "NullAway"})
    private T result() {
        Object value = outcome;
        if (value == CANCELLED) throw new CancellationException("it was cancelled before it had a result");
        return value == NOTHING ? null : (T) value;
    }

    private Waiter.Outcome await(String reason, long deadlineNanos, boolean interruptible) {
        if (isSettled())
            return Waiter.Outcome.SIGNALLED; // nothing to wait for: no interrupt, as with the JDK's futures
        Joiner waiter = new Joiner();
        if (interruptible && waiter.takeInterrupt()) return Waiter.Outcome.INTERRUPTED;
        push(waiter);
        Waiter.Outcome how = waiter.await(reason, deadlineNanos, interruptible);
        if (how != Waiter.Outcome.SIGNALLED) sweep();
        return how;
    }

    /** F1. */
    private void push(Joiner waiter) {
        Joiner seen;
        do {
            seen = waiters;
            waiter.next = seen;
        } while (!WAITERS.compareAndSet(this, seen, waiter));
        if (isSettled()) signalAll();
    }

    /** Drops the waiters that gave up, so that a million time-outs leave nothing: takes all, puts the waiting ones back. */
    private void sweep() {
        Joiner seen;
        do {
            seen = waiters;
            if (seen == null) return;
        } while (!WAITERS.compareAndSet(this, seen, null));
        Joiner each = seen;
        while (each != null) {
            Joiner following = each.next;
            each.next = null;
            if (each.isWaiting()) push(each);
            each = following;
        }
    }

    final CompletableFuture<T> follower() {
        var future = new CompletableFuture<T>();
        var relay = new Relay(() -> {
            Object value = outcome;
            if (value instanceof Failure(Throwable cause)) future.completeExceptionally(cause);
            else if (value == CANCELLED) future.cancel(false);
            else future.complete(result());
        });
        push(relay);
        return future;
    }

    /** A waiter in the stack. */
    private static class Joiner extends Waiter {
        @Nullable
        Joiner next; // owned by the stack

        Joiner() {}

        Joiner(Object party) {
            super(party);
        }
    }

    /** Not a party that waits, but something to do when the outcome is there. */
    private static final class Relay extends Joiner {
        private final Runnable action;

        Relay(Runnable action) {
            super(action);
            this.action = action;
        }

        @Override
        protected void park(String reason, long deadlineNanos) {
            throw new AssertionError("a relay does not wait");
        }

        /** What it does is not ours, and those behind it must be told, whatever room it asks for: so it is called apart. */
        @Override
        public void unpark() {
            try {
                Apart.run(action);
            } catch (StackOverflowError tooDeep) { // once more, from the beginning: what has been told stays so
                Apart.runOnOwnStack(action);
            }
        }
    }
}
