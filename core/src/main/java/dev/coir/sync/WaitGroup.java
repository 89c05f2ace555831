package dev.coir.sync;

import dev.coir.internal.StackRoom;
import dev.coir.internal.wait.Waiter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;

/**
 * Waits for a number of things to be done, which may grow meanwhile: Go's and marl's. It can be used again and again.
 *
 * {@snippet :
 * var group = new WaitGroup();
 * for (Path each : files) {
 *     group.add(1);
 *     Fiber.go(() -> {
 *         try {
 *             index(each);
 *         } finally {
 *             group.done();
 *         }
 *     });
 * }
 * group.await();
 * }
 *
 * <p>Add before you start the thing, not inside it: else the wait may be over before it began.
 */
public final class WaitGroup {
    private static final String REASON = "things of a WaitGroup";
    private static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(WaitGroup.class, "count", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int count; // moved by CAS
    private final WaitRoom room = new WaitRoom();

    /** A group with nothing to wait for. */
    public WaitGroup() {
        this(0);
    }

    /**
     * A group.
     *
     * @param count how many things it begins with
     * @throws IllegalArgumentException when negative
     */
    public WaitGroup(int count) {
        if (count < 0) throw new IllegalArgumentException("count: " + count + " (expected: 0 or more)");
        this.count = count;
    }

    /**
     * Adds things to wait for, or takes some off. Whoever waits goes on when that makes it zero.
     *
     * @param number how many; negative: that many are done
     * @throws IllegalStateException when more would be done than were added; nothing has changed then
     */
    public void add(int number) {
        if (number > 0) StackRoom.ensureMore();
        else StackRoom.ensure();
        int seen;
        int next;
        do {
            seen = count;
            next = seen + number;
            if (number > 0 ? next < 0 : next < 0 || next > seen) {
                throw new IllegalStateException("add(" + number + ") to a count of " + seen
                        + (number > 0 ? " is too many" : ": more done than added; add before the thing starts"));
            }
        } while (!COUNT.compareAndSet(this, seen, next));
        if (next == 0 && seen != 0) room.tellAll();
    }

    /**
     * One thing is done.
     *
     * @throws IllegalStateException when none was left
     */
    public void done() {
        add(-1);
    }

    /**
     * Waits until everything is done.
     *
     * @throws InterruptedException when interrupted or cancelled
     */
    public void await() throws InterruptedException {
        if (room.await(this::isDone, REASON, Long.MAX_VALUE, true) == Waiter.Outcome.INTERRUPTED)
            throw new InterruptedException();
    }

    /**
     * Waits until everything is done, not for ever.
     *
     * @param timeout how long
     * @return whether everything was done in time
     * @throws InterruptedException when interrupted or cancelled
     */
    public boolean await(Duration timeout) throws InterruptedException {
        return room.awaitInterruptibly(
                this::isDone, REASON, Waiter.deadlineIn(Objects.requireNonNull(timeout, "timeout")));
    }

    private boolean isDone() {
        return count == 0;
    }

    /**
     * How many things are not done; a hint.
     *
     * @return 0 or more
     */
    public int count() {
        return count;
    }

    @Override
    public String toString() {
        return "WaitGroup[" + count + " to wait for]";
    }
}
