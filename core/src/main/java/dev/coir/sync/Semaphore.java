package dev.coir.sync;

import dev.coir.internal.StackRoom;
import dev.coir.internal.wait.Caller;
import dev.coir.internal.wait.Waiter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A number of permits, for fibers of both kinds and for threads: what {@code java.util.concurrent.Semaphore} is for threads.
 * Permits have no owner; anybody may release.
 */
public final class Semaphore extends Line {
    private static final String REASON = "permits of a Semaphore";
    private static final VarHandle PERMITS;

    static {
        try {
            PERMITS = MethodHandles.lookup().findVarHandle(Semaphore.class, "permits", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final class Wish extends Turn {
        final int number;

        Wish(Object who, int number) {
            super(who);
            this.number = number;
        }

        Wish(Wish lost) {
            super(lost);
            number = lost.number;
        }

        @Override
        Turn again() {
            return new Wish(this);
        }
    }

    private volatile int permits; // moved by CAS; may be negative

    /**
     * A semaphore that is not fair.
     *
     * @param permits how many it begins with; when negative, as many must be released before one is granted
     */
    public Semaphore(int permits) {
        this(permits, false);
    }

    /**
     * A semaphore.
     *
     * @param permits how many it begins with; when negative, as many must be released before one is granted
     * @param fair whether it is always first come, first served
     */
    public Semaphore(int permits, boolean fair) {
        super(fair, Long.MAX_VALUE); // whoever finds enough permits gets them, as in the JDK: one may depend on it
        this.permits = permits;
    }

    // ---- acquiring -------------------------------------------------------------------------------------------------

    /**
     * Waits for a permit and takes it.
     *
     * @throws InterruptedException when interrupted or cancelled; no permit was taken
     */
    public void acquire() throws InterruptedException {
        acquire(1);
    }

    /**
     * Waits for permits and takes them, all at once.
     *
     * @param number how many
     * @throws InterruptedException when interrupted or cancelled; none was taken
     * @throws IllegalArgumentException when negative
     */
    public void acquire(int number) throws InterruptedException {
        ensureNotNegative(number);
        StackRoom.ensureMore();
        Object me = Caller.current();
        if (Caller.takeInterrupt(me)) throw new InterruptedException();
        if (mayBarge() && tryTake(number)) return;
        if (enter(new Wish(me, number), REASON, Long.MAX_VALUE, true) == Waiter.Outcome.INTERRUPTED)
            throw new InterruptedException();
    }

    /** Waits for a permit and takes it; an interrupt does not end the wait, and is remembered. */
    public void acquireUninterruptibly() {
        acquireUninterruptibly(1);
    }

    /**
     * Waits for permits and takes them, all at once; an interrupt does not end the wait, and is remembered.
     *
     * @param number how many
     * @throws IllegalArgumentException when negative
     */
    public void acquireUninterruptibly(int number) {
        ensureNotNegative(number);
        StackRoom.ensureMore();
        if (mayBarge() && tryTake(number)) return;
        enter(new Wish(Caller.current(), number), REASON, Long.MAX_VALUE, false);
    }

    /**
     * Takes a permit if there is one, even if it is fair and others wait.
     *
     * @return whether it was taken
     */
    public boolean tryAcquire() {
        StackRoom.ensureMore();
        return tryTake(1);
    }

    /**
     * Takes permits if there are as many, even if it is fair and others wait.
     *
     * @param number how many
     * @return whether they were taken
     * @throws IllegalArgumentException when negative
     */
    public boolean tryAcquire(int number) {
        ensureNotNegative(number);
        StackRoom.ensureMore();
        return tryTake(number);
    }

    /**
     * Waits for a permit, not for ever, and takes it.
     *
     * @param timeout how long; zero or less: not at all
     * @param unit of the time-out
     * @return whether it was taken
     * @throws InterruptedException when interrupted or cancelled; no permit was taken
     */
    public boolean tryAcquire(long timeout, TimeUnit unit) throws InterruptedException {
        return tryAcquire(1, timeout, unit);
    }

    /**
     * Waits for permits, not for ever, and takes them, all at once.
     *
     * @param number how many
     * @param timeout how long; zero or less: not at all
     * @param unit of the time-out
     * @return whether they were taken
     * @throws InterruptedException when interrupted or cancelled; none was taken
     * @throws IllegalArgumentException when negative
     */
    public boolean tryAcquire(int number, long timeout, TimeUnit unit) throws InterruptedException {
        ensureNotNegative(number);
        StackRoom.ensureMore();
        long nanos = Objects.requireNonNull(unit, "unit").toNanos(timeout);
        Object me = Caller.current();
        if (Caller.takeInterrupt(me)) throw new InterruptedException();
        if (mayBarge() && tryTake(number)) return true;
        if (nanos <= 0) return false;
        return switch (enter(new Wish(me, number), REASON, Waiter.deadlineIn(nanos), true)) {
            case SIGNALLED -> true;
            case TIMED_OUT -> false;
            case INTERRUPTED -> throw new InterruptedException();
        };
    }

    private boolean tryTake(int number) {
        while (true) {
            int there = permits;
            if (there < number) return false;
            if (PERMITS.compareAndSet(this, there, there - number)) return true;
        }
    }

    @Override
    boolean tryTake(Turn turn) {
        return tryTake(((Wish) turn).number);
    }

    @Override
    boolean canTake(Turn turn) {
        return permits >= ((Wish) turn).number;
    }

    @Override
    void giveBack(Turn turn) {
        add(((Wish) turn).number);
    }

    // ---- releasing -------------------------------------------------------------------------------------------------

    /** Adds a permit. */
    public void release() {
        release(1);
    }

    /**
     * Adds permits.
     *
     * @param number how many
     * @throws IllegalArgumentException when negative
     */
    public void release(int number) {
        ensureNotNegative(number);
        StackRoom.ensure();
        add(number); // a full fence, then the mode: Q1
        released();
    }

    private void add(int number) {
        while (true) {
            int there = permits;
            if (there + number < there) throw new Error("Maximum permit count exceeded");
            if (PERMITS.compareAndSet(this, there, there + number)) return;
        }
    }

    /**
     * Takes all permits that are there.
     *
     * @return how many; when negative, as many were added instead
     */
    public int drainPermits() {
        StackRoom.ensure();
        int there = (int) PERMITS.getAndSet(this, 0);
        if (there < 0) released();
        return there;
    }

    /**
     * Takes permits without waiting, also those that are not there: what counts resources that went away.
     *
     * @param reduction how many
     * @throws IllegalArgumentException when negative
     */
    public void reducePermits(int reduction) {
        if (reduction < 0) throw new IllegalArgumentException("reduction: " + reduction + " (expected: 0 or more)");
        while (true) {
            int there = permits;
            if (there - reduction > there) throw new Error("Permit count underflow");
            if (PERMITS.compareAndSet(this, there, there - reduction)) return;
        }
    }

    /**
     * How many permits are there; a hint.
     *
     * @return the number; negative when some must be released before one is granted
     */
    public int availablePermits() {
        return permits;
    }

    private static void ensureNotNegative(int number) {
        if (number < 0) throw new IllegalArgumentException("permits: " + number + " (expected: 0 or more)");
    }

    @Override
    public String toString() {
        return super.toString() + "[Permits = " + permits + "]";
    }
}
