package dev.coir.internal.task;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A worker's own bounded first-in-first-out ring: the owner pushes and takes, any other worker steals half. The owner's
 * push is wait-free; taking and stealing are lock-free.
 */
public final class RunRing extends dev.coir.internal.Padded implements LocalQueue {
    /*
     * head counts tasks ever taken, tail tasks ever pushed; slot i & mask holds task number i; head <= tail <= head + capacity.
     *
     * R1. Each task number is taken once: head moves only by compare-and-set, over the numbers the mover then owns.
     *     Guarded by RunRingStress.OwnerAgainstThief, .ExchangeAgainstThief and RunRingLincheckTest.
     * R2. A thief copies slots first and claims them after. A slot it read may have been pushed over only if head had moved
     *     past it, and then its claim fails and the copies are dropped. 64-bit counts do not wrap, so there is no ABA.
     * R3. Who reads tail with acquire sees the slots below it: the owner stores the slot before it releases tail.
     *
     * Taken slots are not cleared by thieves (the owner may have refilled them), so a ring keeps up to its capacity of ended
     * tasks reachable until their slots are used again.
     *
     * Rejected: JCTools' SpmcArrayQueue (takes one at a time: a thief would pay a claim per task, and overflow could not
     * move half).
     */
    private static final VarHandle HEAD;
    private static final VarHandle TAIL;
    private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(Task[].class);

    static {
        try {
            var lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(RunRing.class, "head", long.class);
            TAIL = lookup.findVarHandle(RunRing.class, "tail", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final @Nullable Task[] slots;
    private final int mask;
    private volatile long head; // moved by CAS, by the owner and thieves
    private volatile long tail; // written by the owner, released; read by thieves

    /**
     * An empty ring.
     *
     * @param capacity how many tasks it holds, a power of two
     */
    public RunRing(int capacity) {
        if (Integer.bitCount(capacity) != 1 || capacity < 2) {
            throw new IllegalArgumentException("capacity: " + capacity + " (expected: a power of two, at least 2)");
        }
        this.slots = new Task[capacity];
        this.mask = capacity - 1;
    }

    @Override
    public boolean push(Task task) {
        long t = tail;
        if (t - head > mask) return false;
        SLOTS.setOpaque(slots, (int) t & mask, task);
        TAIL.setRelease(this, t + 1);
        return true;
    }

    @Override
    public int pushAll(@Nullable Task[] tasks, int from, int count) {
        long t = tail;
        int pushed = (int) Math.min(count, slots.length - (t - head));
        int index = (int) t & mask;
        int straight = Math.min(pushed, slots.length - index);
        System.arraycopy(tasks, from, slots, index, straight);
        System.arraycopy(tasks, from + straight, slots, 0, pushed - straight);
        TAIL.setRelease(this, t + pushed);
        return pushed;
    }

    @Override
    public @Nullable Task take() {
        long t = tail;
        while (true) {
            long h = head;
            if (h == t) return null;
            Task task = (Task) SLOTS.getOpaque(slots, (int) h & mask);
            if (HEAD.compareAndSet(this, h, h + 1)) {
                SLOTS.setOpaque(slots, (int) h & mask, (Task) null);
                return task;
            }
        }
    }

    @Override
    public boolean hasRoom() {
        return tail - head <= mask;
    }

    @Override
    public @Nullable Task exchange(Task task) {
        long t = tail;
        long h = head;
        if (t == h) return task;
        SLOTS.setOpaque(slots, (int) t & mask, task);
        TAIL.setRelease(this, t + 1);
        Task oldest = (Task) SLOTS.getOpaque(slots, (int) h & mask);
        if (!HEAD.compareAndSet(this, h, h + 1)) return take();
        SLOTS.setOpaque(slots, (int) h & mask, (Task) null);
        return oldest;
    }

    @Override
    public int tryTakeHalf(@Nullable Task[] into, int atMost) {
        long h = head;
        long t = tail;
        long size = t - h;
        if (size <= 0) return 0;
        if (size > slots.length) return LOST; // head moved between the two reads
        int count = (int) Math.min(size - (size >> 1), atMost);
        int index = (int) h & mask;
        int straight = Math.min(count, slots.length - index);
        System.arraycopy(slots, index, into, 0, straight);
        System.arraycopy(slots, 0, into, straight, count - straight);
        return HEAD.compareAndSet(this, h, h + count) ? count : LOST;
    }

    @Override
    public int size() {
        long h = head;
        return Math.clamp(tail - h, 0, slots.length);
    }

    @Override
    public int capacity() {
        return slots.length;
    }
}
