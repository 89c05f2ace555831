package dev.coir.fiber;

import dev.coir.executor.Scheduler;
import dev.coir.internal.StackRoom;
import dev.coir.internal.sched.Carrier;
import dev.coir.internal.sched.Group;
import dev.coir.internal.sched.Handoff;
import dev.coir.internal.task.FiberStack;
import dev.coir.internal.task.Party;
import dev.coir.internal.task.World;
import dev.coir.internal.trace.Tracing;
import dev.coir.internal.wait.Waiter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A light thread of execution: it runs on an executor's threads, gives them up whenever it waits, and has a result.
 *
 * {@snippet :
 * Fiber<String> page = Fiber.go(() -> load(url));
 * Fiber.go(() -> System.out.println("meanwhile"));
 * System.out.println(page.join());
 * }
 *
 * <p>There are two {@linkplain Kind kinds} with one interface. A fiber is a {@link Future} in every detail: after
 * {@link #cancel} it is done, even while its body still unwinds.
 *
 * @param <T> its result
 */
@SuppressWarnings("exports") // that it is a task is nobody's business
public abstract sealed class Fiber<T extends @Nullable Object> extends Completion<T> implements Future<T>
        permits VirtualFiber, LightFiber {
    /** What a fiber's stack is made of. */
    public enum Kind {
        /** A virtual thread of the JDK: everything of Java works inside, and it may move between workers. */
        VIRTUAL,
        /**
         * A bare stack: faster and smaller. It stays on the thread that first ran it, and must not hold a thread's lock
         * ({@code synchronized}, {@code ReentrantLock}) when it waits.
         */
        LIGHT
    }

    /** What a fiber is doing. */
    public enum Status {
        /** Not started. */
        NEW,
        /** Could run, and waits for a worker. */
        QUEUED,
        /** Runs on a worker. */
        RUNNING,
        /** Waits until it is woken. */
        WAITING,
        /** Waits until it is woken or some time has passed. */
        TIMED_WAITING,
        /** Has ended. */
        DONE
    }

    /** Attributes of fibers to be made. Each call of start or unstarted makes one more. */
    public interface Builder {
        /**
         * Where it runs.
         *
         * @param executor any executor; LIGHT fibers need a Scheduler or a ManualExecutor. Default: the current one
         * @return this
         */
        Builder on(Executor executor);

        /**
         * What its stack is made of.
         *
         * @param k default: VIRTUAL
         * @return this
         */
        Builder kind(Kind k);

        /**
         * Its name in dumps.
         *
         * @param n the name
         * @return this
         */
        Builder name(String n);

        /**
         * In which of the scheduler's groups it starts.
         *
         * @param number 0 or more. Default: that of who makes it, else they take turns
         * @return this
         */
        Builder group(int number);

        /**
         * Whether it stays on one thread: the calling worker's, else one that is chosen.
         *
         * @param b default: false
         * @return this
         */
        Builder local(boolean b);

        /**
         * Makes and starts a fiber.
         *
         * @param <T> its result
         * @param body what it runs
         * @return the fiber
         */
        <T extends @Nullable Object> Fiber<T> start(Callable<? extends T> body);

        /**
         * Makes and starts a fiber without a result.
         *
         * @param body what it runs
         * @return the fiber
         */
        Fiber<@Nullable Void> start(Runnable body);

        /**
         * Makes a fiber that {@link Fiber#start} will start.
         *
         * @param <T> its result
         * @param body what it runs
         * @return the fiber
         */
        <T extends @Nullable Object> Fiber<T> unstarted(Callable<? extends T> body);

        /**
         * Makes a fiber without a result that {@link Fiber#start} will start.
         *
         * @param body what it runs
         * @return the fiber
         */
        Fiber<@Nullable Void> unstarted(Runnable body);

        /**
         * Makes and starts fibers, all or none.
         *
         * @param <T> their results
         * @param bodies what they run
         * @return the fibers, in the order of the bodies
         * @throws RejectedExecutionException when there is no room for all; nothing was started
         */
        <T extends @Nullable Object> List<Fiber<T>> startAll(Collection<? extends Callable<? extends T>> bodies);
    }

    static final String BLOCKING_CALL = "a blocking call";
    private static final AtomicLong IDS = new AtomicLong();
    private static final VarHandle LABEL;
    private static final VarHandle STARTED;
    private static final VarHandle TOLD_TO_END;
    private static final VarHandle WAIT_REASON;

    static {
        try {
            var lookup = MethodHandles.lookup();
            LABEL = lookup.findVarHandle(Fiber.class, "label", Object.class);
            STARTED = lookup.findVarHandle(Fiber.class, "started", boolean.class);
            TOLD_TO_END = lookup.findVarHandle(Fiber.class, "toldToEnd", boolean.class);
            WAIT_REASON = lookup.findVarHandle(Fiber.class, "waitReason", String.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Object runsOn; // a Group of a scheduler, or an executor that is none
    private @Nullable Object body; // a Callable of the result, or a Runnable; taken by whoever starts it
    private final boolean isRunnable; // then nobody may ask for its outcome, so a failure is reported as well

    @SuppressWarnings("UnusedVariable") // by LABEL
    private @Nullable Object label; // its given name; Rare, once it has what few have

    /*
     * Its body has been entered, or never will be. Written by the fiber without a fence, so who has just cancelled it may not see it
     * though the body runs already. He interrupts it in any case: one that has not begun has no use for that, and never runs.
     * Guarded by LightFiberStress.CancelAgainstBegin.
     */
    private volatile boolean started;

    @SuppressWarnings("UnusedVariable") // by TOLD_TO_END
    private volatile boolean toldToEnd; // set once: one interrupt at shutdown, so that finally blocks may wait

    // written by the fiber, and exchanged by who makes it wait for something else; read by others to show, so no fence
    private @Nullable String waitReason;
    private boolean waitTimed; // likewise

    Fiber(Object runsOn, @Nullable String name, Object body, boolean isRunnable) {
        this.runsOn = runsOn;
        this.label = name;
        this.body = body;
        this.isRunnable = isRunnable;
    }

    // ---- making ----------------------------------------------------------------------------------------------------

    /**
     * Starts a fiber on the current executor: the one the calling fiber or task runs on, else {@link Scheduler#common}.
     *
     * @param <T> its result
     * @param body what it runs
     * @return the fiber
     * @throws RejectedExecutionException when the executor refuses; nothing was started
     */
    public static <T extends @Nullable Object> Fiber<T> go(Callable<T> body) {
        return builder().start(body);
    }

    /**
     * Starts a fiber without a result on the current executor. What its body throws is also reported to the uncaught
     * handler.
     *
     * @param body what it runs
     * @return the fiber
     * @throws RejectedExecutionException when the executor refuses; nothing was started
     */
    public static Fiber<@Nullable Void> go(Runnable body) {
        return builder().start(body);
    }

    /**
     * Starts a fiber on an executor.
     *
     * @param <T> its result
     * @param on any executor
     * @param body what it runs
     * @return the fiber
     * @throws RejectedExecutionException when the executor refuses; nothing was started
     */
    public static <T extends @Nullable Object> Fiber<T> go(Executor on, Callable<T> body) {
        return builder().on(on).start(body);
    }

    /**
     * Starts a fiber without a result on an executor. What its body throws is also reported to the uncaught handler.
     *
     * @param on any executor
     * @param body what it runs
     * @return the fiber
     * @throws RejectedExecutionException when the executor refuses; nothing was started
     */
    public static Fiber<@Nullable Void> go(Executor on, Runnable body) {
        return builder().on(on).start(body);
    }

    /**
     * For a fiber with other than the usual attributes.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new FiberBuilder();
    }

    /**
     * Starts a fiber that was made unstarted.
     *
     * @return this
     * @throws IllegalStateException when it was started before
     * @throws RejectedExecutionException when the executor refuses. Then, and when it throws anything else, this can be
     *     started again
     */
    public abstract Fiber<T> start();

    /** As {@link #start}, of one that only the caller knows. */
    Fiber<T> startUnseen() {
        return start();
    }

    // ---- the calling fiber -----------------------------------------------------------------------------------------

    /**
     * Lets others run: the calling fiber goes to the end of the queue. A thread that is bound to a scheduler, or that runs a
     * plain task, runs one of the fibers that can run on no other thread; where a scheduler has no threads of its own, any task.
     * If there is none, or on any other thread, this is {@link Thread#yield}.
     */
    @SuppressWarnings("ThreadPriorityCheck") // what is left for those who are no fibers
    public static void yield() {
        if (Thread.currentThread().isVirtual()) {
            if (Party.current() instanceof VirtualFiber<?> fiber) fiber.yieldNow();
            else Thread.yield(); // of a thread that was started in a fiber, or of the JDK
        } else if (FiberStack.innermost() instanceof LightFiber<?> light) {
            light.yieldNow();
        } else {
            Carrier carrier = Carrier.current();
            if (carrier == null || !carrier.waits().workOnce()) Thread.yield();
        }
    }

    /**
     * Waits for some time without holding a worker. Outside a fiber it is the calling thread that sleeps.
     *
     * @param duration how long; returns at once when zero or negative
     * @throws InterruptedException when interrupted or cancelled
     */
    public static void sleep(Duration duration) throws InterruptedException {
        Objects.requireNonNull(duration, "duration");
        Waiter waiter = new Waiter();
        if (duration.isNegative() || duration.isZero()) {
            if (waiter.takeInterrupt()) throw new InterruptedException();
            return;
        }
        if (waiter.await("sleep", deadline(duration), true) == Waiter.Outcome.INTERRUPTED)
            throw new InterruptedException();
    }

    /**
     * The fiber that calls.
     *
     * @return the fiber, or null outside one
     */
    public static @Nullable Fiber<?> current() {
        return (Fiber<?>) Party.current();
    }

    /**
     * Waits for a stage without holding a worker.
     *
     * @param <T> the stage's result
     * @param stage any stage
     * @return its result
     * @throws InterruptedException when interrupted or cancelled
     * @throws ExecutionException when the stage failed; its cause is what it failed with
     * @throws CancellationException when the stage was cancelled
     */
    public static <T extends @Nullable Object> T await(CompletionStage<T> stage)
            throws InterruptedException, ExecutionException {
        Objects.requireNonNull(stage, "stage");
        var arrival = new Arrival<T>();
        stage.whenComplete((value, failure) -> {
            if (failure == null) arrival.succeed(value);
            else if (failure instanceof CancellationException cancellation) arrival.cancel(cancellation);
            else if (failure instanceof CompletionException && failure.getCause() != null)
                arrival.fail(failure.getCause());
            else arrival.fail(failure);
        });
        return arrival.await("a completion stage");
    }

    /**
     * Makes a call that may block its thread. Another thread of the scheduler takes over its other work at once; afterwards
     * the fiber goes on as soon as a worker is free. Over a foreign executor, and on a bound thread, another thread makes the
     * call while the fiber waits. Outside fibers and tasks it is just made.
     *
     * @param <T> the call's result
     * @param call what may block
     * @return its result
     * @throws Exception what the call threw, or InterruptedException when interrupted or cancelled
     */
    public static <T extends @Nullable Object> T blocking(Callable<T> call) throws Exception {
        Objects.requireNonNull(call, "call");
        Fiber<?> fiber = current();
        Carrier carrier = Carrier.current();
        if (fiber != null && (carrier == null || !carrier.canHandOff())) {
            return fiber.world().hasOtherThreads() ? BlockingCalls.call(call) : call.call();
        }
        // a virtual thread that is no fiber may be elsewhere afterwards, and cannot wait for a slot of this carrier
        if (carrier == null || (fiber == null && Thread.currentThread().isVirtual())) return call.call();
        FiberStack.ensureNothingHeld(); // it may have to leave its stack afterwards
        StackRoom.ensureMore(); // the worker that is handed off must be got back
        Handoff.beginBlocking();
        if (fiber != null) fiber.beginBlocking();
        try {
            return call.call();
        } finally {
            if (fiber != null) fiber.endBlocking();
            else Handoff.awaitSlot(carrier);
        }
    }

    /** A call that may block begins; the worker has been handed off, if there was a thread to hand it to. */
    abstract void beginBlocking();

    /** It has ended: see that the fiber runs on a worker again. */
    abstract void endBlocking();

    static Executor currentExecutor() {
        Thread thread = Thread.currentThread();
        Fiber<?> fiber = thread.isVirtual() ? VirtualFiber.underneath(thread) : (Fiber<?>) FiberStack.innermost();
        if (fiber != null) return fiber.executor();
        Carrier carrier = Carrier.current();
        Executor owner = carrier == null ? null : carrier.core().owner();
        return owner != null ? owner : Scheduler.common();
    }

    static long deadline(Duration duration) {
        try {
            return Waiter.deadlineIn(duration.toNanos());
        } catch (ArithmeticException centuries) {
            return duration.isNegative() ? World.current().nanoTime() : Long.MAX_VALUE;
        }
    }

    // ---- running ---------------------------------------------------------------------------------------------------

    /** Runs the body, once, in the fiber. */
    final void runBody() {
        Object work = body;
        body = null;
        STARTED.setOpaque(this, true);
        if (work == null || isSettled()) return;
        try {
            succeed(call(work));
        } catch (Throwable failure) {
            endWith(failure);
        }
        Tracing.ended(this);
    }

    private void endWith(Throwable failure) {
        try {
            boolean told = fail(failure);
            if (isRunnable && told) report(failure);
        } catch (OutOfMemoryError full) {
            failForWantOfMemory();
        }
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // the builder saw to it that a Runnable means Fiber<Void>
    private T call(Object work) throws Exception {
        if (!isRunnable) return ((Callable<? extends T>) work).call();
        ((Runnable) work).run();
        return null;
    }

    /** Becomes queued; the caller has reserved room and does the queueing. */
    abstract void startReserved();

    abstract void report(Throwable failure);

    @Override
    protected final World world() {
        return runsOn instanceof World own ? own : World.SYSTEM;
    }

    /** Where it is queued by those who are no workers; null over an executor that is no scheduler. */
    final @Nullable Group group() {
        return runsOn instanceof Group group ? group : null;
    }

    final Executor executor() {
        return runsOn instanceof Group group
                ? Objects.requireNonNull(group.core().owner())
                : (Executor) runsOn;
    }

    final boolean hasBegun() {
        return started;
    }

    final boolean isCancelledBeforeStart() {
        return !started && isSettled();
    }

    /** For who runs a fiber where the stack has no room for that of the fiber, which has been queued again. */
    static StackOverflowError noRoom() {
        return new StackOverflowError("no room on this stack for that of a fiber; it stays queued: run it less deep");
    }

    final void beginWait(String reason, boolean timed) {
        Tracing.waits(this, reason);
        waitReason = reason;
        waitTimed = timed;
    }

    @Override
    protected final void nowWaitsFor(String earlier, String reason) {
        WAIT_REASON.compareAndSet(this, earlier, reason); // it may have woken, and wait for nothing or something else
    }

    final void endWait() {
        waitReason = null;
        Tracing.waited(this);
    }

    /** Whether it makes a declared blocking call: its thread waits, though not in one of ours. */
    @SuppressWarnings("StringEquality") // that very reason
    final boolean isInBlockingCall() {
        return waitReason == BLOCKING_CALL;
    }

    /** Whether it is in one of Coir's waits, or about to be. */
    final boolean isInWait() {
        return waitReason != null;
    }

    final boolean isWaitTimed() {
        return waitReason != null && waitTimed;
    }

    @Override
    protected final @Nullable String givenName() {
        Object seen = LABEL.getAcquire(this);
        return seen instanceof Rare rare ? rare.given : (String) seen;
    }

    @Override
    protected final void cancelForShutdown() {
        if (!TOLD_TO_END.compareAndSet(this, false, true)) return;
        if (!cancelInside(true)) interruptIt(); // cancelled before, perhaps without an interrupt
    }

    // ---- Future ----------------------------------------------------------------------------------------------------

    /**
     * Cancels the fiber. One that has not started never runs; one that has is interrupted if so wished: the operation it
     * waits in throws {@link InterruptedException}. Either way it is done from now on, and its result is dropped.
     */
    @Override
    public final boolean cancel(boolean mayInterruptIfRunning) {
        StackRoom.ensureMore();
        return cancelInside(mayInterruptIfRunning);
    }

    @Override
    protected final boolean cancelInside(boolean mayInterruptIfRunning) {
        if (!settleAsCancelled()) return false;
        if (mayInterruptIfRunning) interruptIt();
        return true;
    }

    @Override
    public final boolean isCancelled() {
        return isSettledAsCancelled();
    }

    @Override
    public final boolean isDone() {
        return isSettled();
    }

    @Override
    public final T get() throws InterruptedException, ExecutionException {
        return result("join of a fiber");
    }

    @Override
    public final T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        long nanos = Objects.requireNonNull(unit, "unit").toNanos(timeout);
        return result("join of a fiber", nanos, unit);
    }

    /**
     * Waits for the result, whatever happens: an interrupt does not end the wait, and is remembered.
     *
     * @return the result
     * @throws CompletionException when the body threw; its cause is what the body threw
     * @throws CancellationException when the fiber was cancelled
     */
    public final T join() {
        return resultWhateverHappens("join of a fiber");
    }

    /**
     * The fiber as a {@link CompletableFuture}; cancelling that does not cancel the fiber.
     *
     * @return a new future, completed as the fiber is
     */
    public final CompletableFuture<T> toCompletableFuture() {
        return follower();
    }

    // ---- looking at it ---------------------------------------------------------------------------------------------

    /**
     * Its name, given or made from its number.
     *
     * @return the name
     */
    public final String name() {
        String given = givenName();
        return given != null ? given : "fiber-" + id();
    }

    /**
     * Its number, unique in this JVM.
     *
     * @return more than zero
     */
    public final long id() {
        return rare().id;
    }

    final Rare rare() {
        Object seen = LABEL.getAcquire(this);
        if (seen instanceof Rare there) return there;
        var mine = new Rare(IDS.incrementAndGet(), (String) seen); // a number may be left out
        return LABEL.compareAndExchange(this, seen, mine) instanceof Rare first ? first : mine;
    }

    /**
     * What its stack is made of.
     *
     * @return the kind
     */
    public abstract Kind kind();

    /**
     * What it is doing, as of now.
     *
     * @return the status
     */
    public abstract Status status();

    /**
     * What it waits for, if it waits in one of Coir's operations.
     *
     * @return a few words
     */
    public final Optional<String> waitReason() {
        return Optional.ofNullable(waitReason);
    }

    /**
     * The virtual thread underneath a fiber of kind VIRTUAL.
     *
     * @return the thread; empty for LIGHT
     */
    public abstract Optional<Thread> thread();

    @Override
    public String toString() {
        String reason = waitReason;
        return "Fiber[" + name() + ", " + kind() + ", " + status() + (reason == null ? "" : " in " + reason)
                + (isCancelled() ? ", cancelled" : "") + "]";
    }
}
