package dev.coir.scope;

import dev.coir.fiber.Fiber;
import dev.coir.internal.task.Party;
import dev.coir.internal.wait.Waiter;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The children of one scope: counts them, cancels them, and lets the owner wait for them. */
final class Family {
    /*
     * Y1. Who adds a child looks afterwards whether the scope is cancelled; who cancels says so first and goes through the
     *     children after. So a child of a cancelled scope is cancelled.
     * Y2. The owner shows its wait and then looks at the counts; a child changes them and then looks for a wait. So the last
     *     child wakes the owner.
     */
    private final Set<Child<?>> living = ConcurrentHashMap.newKeySet(); // not over
    private final AtomicInteger pending = new AtomicInteger(); // without an outcome
    private final AtomicInteger unended = new AtomicInteger(); // not over
    private final Predicate<Child<?>> hasEnough; // a child is done; called once for each
    private int added; // the owner only
    private volatile boolean cancelled;
    private volatile @Nullable Waiter owner; // while it waits

    Family(Predicate<Child<?>> hasEnough) {
        this.hasEnough = hasEnough;
    }

    /** Counts a child in, which starts next. The owner. */
    void add(Child<?> child) {
        pending.incrementAndGet();
        unended.incrementAndGet();
        child.become(++added);
        living.add(child);
    }

    /** It has an outcome. */
    void done(Child<?> child) {
        // a cancelled one may be enough too: without the look, each would be cancelled inside the one before
        if (!child.isRefused() && hasEnough.test(child) && !cancelled) cancel();
        if (pending.decrementAndGet() == 0) wake();
    }

    /** Nothing of it runs any more. */
    void over(Child<?> child) {
        living.remove(child);
        if (unended.decrementAndGet() == 0) wake();
    }

    /** Cancels all there are, where there is room on the stack for it, in the order in which they were forked, and all to come. */
    void cancel() {
        cancelled = true; // before going through them: Y1
        living.stream()
                .sorted(Comparator.comparingInt(Child::number))
                .forEach(each -> Party.cancel(each.fiber(), true));
    }

    boolean isCancelled() {
        return cancelled;
    }

    int size() {
        return unended.get();
    }

    private void wake() {
        Waiter waiting = owner;
        if (waiting != null) waiting.signal();
    }

    /** Waits until every child has an outcome. The owner. */
    Waiter.Outcome awaitOutcomes(long deadlineNanos) {
        return await("join of a scope", () -> pending.get() == 0, deadlineNanos, true);
    }

    /** Waits until nothing of any child runs. The owner. */
    void awaitEnds() {
        await("the end of a scope", () -> unended.get() == 0, Long.MAX_VALUE, false);
    }

    private Waiter.Outcome await(String reason, BooleanSupplier reached, long deadlineNanos, boolean interruptible) {
        Waiter.Outcome outcome = Waiter.Outcome.SIGNALLED;
        while (outcome == Waiter.Outcome.SIGNALLED && !reached.getAsBoolean()) {
            var waiter = new Waiter();
            owner = waiter; // before looking again: Y2
            if (!reached.getAsBoolean()) outcome = waiter.await(reason, deadlineNanos, interruptible);
            owner = null;
        }
        return outcome;
    }

    /** A fiber that is cancelled and never runs, for who forks when it is too late. */
    static <U extends @Nullable Object> Fiber<U> stillborn(Fiber<U> unstarted) {
        Party.cancel(unstarted, false);
        return unstarted;
    }
}
