package dev.coir.scope;

import dev.coir.fiber.Fiber;
import dev.coir.internal.StackRoom;
import dev.coir.internal.task.World;
import dev.coir.internal.wait.Waiter;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A block that ends after all fibers it has started, whatever happens.
 *
 * {@snippet :
 * try (var scope = Scope.open()) {
 *     Fiber<User> user = scope.fork(() -> loadUser(id));
 *     Fiber<List<Order>> orders = scope.fork(() -> loadOrders(id));
 *     scope.join(); // when one fails the other is cancelled, and this throws
 *     return new Page(user.join(), orders.join());
 * }
 * }
 *
 * <p>The fiber or thread that opened a scope is its owner, and only it may use it: fork any number of times, join once, close.
 * Leaving the block without a join cancels the children. {@link #close} waits until the last of them has ended, even when the
 * owner is interrupted; so children that ignore their cancellation hold the block up.
 *
 * <p>Scopes nest: a child may open its own. Cancelling a child interrupts what it waits in, its own join included, and so
 * reaches its children in turn.
 *
 * <p>Children run with the {@linkplain ScopedValue scoped values} that are bound where they are forked. Values of a
 * {@link dev.coir.fiber.FiberLocal} are not inherited.
 *
 * @param <T> what the children return
 * @param <R> what join returns
 */
public final class Scope<T extends @Nullable Object, R extends @Nullable Object> implements AutoCloseable {
    private enum State {
        OPEN,
        JOINED,
        CLOSED
    }

    private final Object owner = caller();
    private final Joiner<? super T, ? extends R> joiner;
    private final Family family = new Family(this::hasEnough);
    private final Family guards = new Family(_ -> false); // the fiber that watches the time
    private State state = State.OPEN; // the owner only
    private int forks; // the owner only
    private @Nullable Executor executor; // null: the current one; the owner only
    private Fiber.Kind kind = Fiber.Kind.VIRTUAL; // the owner only
    private @Nullable String name; // the owner only
    private @Nullable Duration limit; // the owner only
    private long deadlineNanos = Long.MAX_VALUE; // that is never; written by the owner, before the first fork
    private volatile @Nullable Throwable joinerFailed;
    private volatile boolean timedOut;

    private Scope(Joiner<? super T, ? extends R> joiner) {
        this.joiner = Objects.requireNonNull(joiner, "joiner");
    }

    // ---- opening ---------------------------------------------------------------------------------------------------

    /**
     * Opens a scope in which no child may fail: the first failure cancels the others, and {@link #join} throws it. A child that
     * is cancelled by itself is no failure.
     *
     * @param <T> what the children return
     * @return a new scope, owned by the caller
     */
    public static <T extends @Nullable Object> Scope<T, @Nullable Void> open() {
        return new Scope<>(new Joiners.NoneFails<>());
    }

    /**
     * Opens a scope in which a joiner decides what counts.
     *
     * @param <T> what the children return
     * @param <R> what join returns
     * @param joiner a fresh one
     * @return a new scope, owned by the caller
     */
    public static <T extends @Nullable Object, R extends @Nullable Object> Scope<T, R> open(
            Joiner<? super T, ? extends R> joiner) {
        return new Scope<>(joiner);
    }

    /**
     * Limits the time: when it is up, the children are cancelled, and {@link #join} throws {@link ScopeTimeoutException}.
     *
     * @param timeout how long, from now on; centuries mean no limit
     * @return this
     * @throws IllegalStateException after the first fork
     */
    public Scope<T, R> withTimeout(Duration timeout) {
        ensureFresh("withTimeout");
        limit = Objects.requireNonNull(timeout, "timeout");
        deadlineNanos = Waiter.deadlineIn(nanos(timeout));
        return this;
    }

    private static long nanos(Duration timeout) {
        try {
            return Math.max(0, timeout.toNanos());
        } catch (ArithmeticException centuries) {
            return timeout.isNegative() ? 0 : Long.MAX_VALUE;
        }
    }

    /**
     * Names the scope, and its children after it: with a number, in the order of forking.
     *
     * @param newName the name
     * @return this
     * @throws IllegalStateException after the first fork
     */
    public Scope<T, R> withName(String newName) {
        ensureFresh("withName");
        name = Objects.requireNonNull(newName, "name");
        return this;
    }

    /**
     * Says where the children run.
     *
     * @param where any executor. Default: the current one when they are forked, as for {@link Fiber#go(Callable)}
     * @return this
     * @throws IllegalStateException after the first fork
     */
    public Scope<T, R> on(Executor where) {
        ensureFresh("on");
        executor = Objects.requireNonNull(where, "executor");
        return this;
    }

    /**
     * Says of which kind the children are.
     *
     * @param of default: VIRTUAL
     * @return this
     * @throws IllegalStateException after the first fork
     */
    public Scope<T, R> kind(Fiber.Kind of) {
        ensureFresh("kind");
        kind = Objects.requireNonNull(of, "kind");
        return this;
    }

    // ---- forking, joining, closing ---------------------------------------------------------------------------------

    /**
     * Starts a child. When the scope has been cancelled meanwhile (a failure, enough results, the time is up) the child is
     * cancelled and does not run.
     *
     * @param <U> its result
     * @param body what it runs
     * @return the child
     * @throws IllegalStateException after join or close
     * @throws WrongThreadException when the caller is not the owner
     * @throws RejectedExecutionException when the executor refuses; nothing was started
     */
    public <U extends T> Fiber<U> fork(Callable<? extends U> body) {
        Objects.requireNonNull(body, "body");
        StackRoom.ensureMore(); // a child that is refused must be given up
        ensureOwner("fork");
        if (state != State.OPEN)
            throw new IllegalStateException("fork after " + was() + ": open another scope (" + this + ")");
        if (forks++ == 0 && deadlineNanos != Long.MAX_VALUE) startWatch(); // centuries are no limit
        var child = new Child<U>(family, body);
        return start(child, family, fibers());
    }

    /**
     * Starts a child without a result.
     *
     * @param body what it runs
     * @return the child
     * @throws IllegalStateException after join or close
     * @throws WrongThreadException when the caller is not the owner
     * @throws RejectedExecutionException when the executor refuses; nothing was started
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // null is of every type
    public Fiber<@Nullable Void> fork(Runnable body) {
        Objects.requireNonNull(body, "body");
        return (Fiber<@Nullable Void>) fork((Callable<? extends T>) Executors.callable(body, null));
    }

    private <U extends T> Fiber<U> start(Child<U> child, Family of, Fiber.Builder builder) {
        Fiber<U> fiber = builder.unstarted(child);
        joiner.onFork(fiber);
        child.become(fiber);
        of.add(child);
        if (of.isCancelled()) return Family.stillborn(fiber); // after adding it: Y1
        try {
            return fiber.start();
        } catch (Throwable refusal) { // whatever the executor throws: join must not wait for it
            child.refuse();
            throw refusal;
        }
    }

    private Fiber.Builder fibers() {
        var builder = Fiber.builder().kind(kind);
        if (executor != null) builder.on(executor);
        if (name != null) builder.name(name + "-" + forks);
        return builder;
    }

    /** The owner may be elsewhere when the time is up; the children are cancelled then all the same. */
    private void startWatch() {
        World world = World.current(); // the deadline is of its time
        var watch = new Child<@Nullable Void>(guards, () -> {
            Fiber.sleep(Duration.ofNanos(deadlineNanos - world.nanoTime()));
            timeOut();
            return null;
        });
        var builder = Fiber.builder().name("time limit of " + (name == null ? "a scope" : name));
        if (executor != null) builder.on(executor);
        watch.become(builder.unstarted(watch));
        guards.add(watch);
        try {
            watch.fiber().start();
        } catch (Throwable refusal) {
            watch.refuse();
            forks--;
            throw refusal;
        }
    }

    private void timeOut() {
        timedOut = true;
        family.cancel();
    }

    private boolean hasEnough(Child<?> child) {
        try {
            return joiner.onComplete(cast(child.fiber()));
        } catch (Throwable broken) {
            joinerFailed = broken;
            return true;
        }
    }

    @SuppressWarnings("unchecked") // forked here
    private Fiber<? extends T> cast(Fiber<?> child) {
        return (Fiber<? extends T>) child;
    }

    /**
     * Waits until all children are done, or as many as the joiner wants; the rest is cancelled then, and may still be ending.
     *
     * @return what the joiner makes of it; null for a scope without one
     * @throws ScopeFailedException when children failed, with the first failure as its cause
     * @throws ScopeTimeoutException when the time was up
     * @throws InterruptedException when interrupted or cancelled; close will cancel the children
     * @throws IllegalStateException when joined or closed before
     * @throws WrongThreadException when the caller is not the owner
     */
    public R join() throws InterruptedException {
        StackRoom.ensureMore(); // children may have to be cancelled after the wait
        ensureOwner("join");
        if (state != State.OPEN) throw new IllegalStateException("join after " + was() + ": a scope is joined once");
        state = State.JOINED;
        Waiter.Outcome outcome = family.awaitOutcomes(deadlineNanos);
        if (outcome == Waiter.Outcome.INTERRUPTED) throw new InterruptedException();
        if (outcome == Waiter.Outcome.TIMED_OUT) timeOut();
        if (timedOut && limit != null) throw new ScopeTimeoutException(limit);
        Throwable broken = joinerFailed;
        if (broken != null) throw new ScopeFailedException(broken);
        try {
            return joiner.result();
        } catch (ScopeFailedException already) {
            throw already;
        } catch (Throwable failure) {
            throw new ScopeFailedException(failure);
        }
    }

    /**
     * Cancels what still runs and waits until it has ended. An interrupt does not shorten the wait, and is kept. Does nothing
     * when closed already.
     *
     * @throws WrongThreadException when the caller is not the owner
     */
    @Override
    public void close() {
        StackRoom.ensureMore(); // the children end before it returns
        ensureOwner("close");
        if (state == State.CLOSED && family.size() == 0 && guards.size() == 0) return;
        state = State.CLOSED;
        family.cancel();
        guards.cancel();
        family.awaitEnds();
        guards.awaitEnds();
    }

    // ---- misuse ----------------------------------------------------------------------------------------------------

    private static Object caller() {
        Fiber<?> fiber = Fiber.current();
        return fiber != null ? fiber : Thread.currentThread();
    }

    private void ensureOwner(String operation) {
        if (caller() != owner)
            throw new WrongThreadException(operation + " by " + caller() + ": only the owner of a scope may use it, "
                    + owner + "; open a scope there");
    }

    private void ensureFresh(String operation) {
        ensureOwner(operation);
        if (forks > 0 || state != State.OPEN)
            throw new IllegalStateException(operation + " comes before the first fork (" + this + ")");
    }

    private String was() {
        return state == State.JOINED ? "join" : "close";
    }

    @Override
    public String toString() {
        return "Scope[" + (name == null ? "" : name + ", ") + state + ", " + family.size() + " children"
                + (family.isCancelled() ? ", cancelled" : "") + "]";
    }
}
