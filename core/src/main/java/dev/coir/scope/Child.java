package dev.coir.scope;

import dev.coir.fiber.Fiber;
import dev.coir.internal.JdkAccess;
import dev.coir.internal.Rethrow;
import dev.coir.internal.task.Party;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What a scope knows of one of its fibers. */
final class Child<U extends @Nullable Object> implements Callable<U> {
    /*
     * A child is over when two things have happened, in any order: its outcome is there, and its body has ended or never will
     * begin. A cancelled fiber has an outcome at once, but its body may go on for a while; one that was cancelled before it
     * began never runs its body.
     *
     * K1. The body is entered, or given up by whoever finds the fiber cancelled: one of the two, by compare-and-set. So each
     *     child is over exactly once. Guarded by ScopeTest.cancellingAtAnyMomentLosesNoChild.
     */
    private final Family family;
    private final Callable<? extends U> body;
    private final Object bindings = JdkAccess.scopedBindings();
    private final AtomicBoolean entered = new AtomicBoolean();
    private final AtomicInteger missing = new AtomicInteger(2);
    private @Nullable Fiber<U> fiber; // set before it starts
    private int number; // set before it starts
    private boolean refused; // the owner only, and whom it lets cancel afterwards
    private @Nullable U result; // the fiber only
    private @Nullable Throwable failure; // the fiber only

    Child(Family family, Callable<? extends U> body) {
        this.family = family;
        this.body = body;
    }

    Fiber<U> fiber() {
        return Objects.requireNonNull(fiber);
    }

    int number() {
        return number;
    }

    /** Which of its family it is, counted from the first. Must come before it starts. */
    void become(int n) {
        number = n;
    }

    /** Must come before it starts. */
    void become(Fiber<U> made) {
        fiber = made;
        made.toCompletableFuture().whenComplete((value, thrown) -> done());
    }

    /** Its executor would not have it: it is over, and the joiner hears nothing of it. The owner. */
    void refuse() {
        refused = true;
        Party.cancel(fiber(), false);
    }

    boolean isRefused() {
        return refused;
    }

    /** Its outcome is there. */
    private void done() {
        if (fiber().isCancelled() && entered.compareAndSet(false, true)) step(); // it never begins
        family.done(this);
        step();
    }

    private void step() {
        if (missing.decrementAndGet() == 0) family.over(this);
    }

    @Override
    @SuppressWarnings("NullAway") // what the body returned
    public U call() throws Exception {
        if (!entered.compareAndSet(false, true)) return null; // it is cancelled: nobody sees this
        try {
            JdkAccess.runWithScopedBindings(bindings, this::runBody);
            if (failure != null) throw Rethrow.asIs(failure); // also what no throws clause allows
            return result;
        } finally {
            step();
        }
    }

    private void runBody() {
        try {
            result = body.call();
        } catch (Throwable thrown) {
            failure = thrown;
        }
    }
}
