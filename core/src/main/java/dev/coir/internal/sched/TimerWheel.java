package dev.coir.internal.sched;

import org.jspecify.annotations.Nullable;

/** Timers by their tick in a hierarchy of wheels: setting and cancelling take constant time. For one thread at a time. */
final class TimerWheel {
    /*
     * Level L has 64 slots of 64^L ticks each. A timer stands on the lowest level on which its tick and the current one
     * differ in no higher digit (base 64); when time reaches its slot there, it moves to a lower level, or is due on level 0.
     *
     * H1. Slots of a level that hold timers lie ahead of the current tick within one turn, so the first occupied slot of the
     *     lowest occupied level is the next to be reached.
     * H2. A timer is handed out in the first advance that reaches its tick, never earlier.
     * Both guarded by TimerWheelTest.
     */
    static final int NOWHERE = -1;
    static final int HANDED_OUT = -2;
    private static final int BITS = 6;
    private static final int SLOTS = 1 << BITS;
    private static final int MASK = SLOTS - 1;
    private static final int LEVELS = 11; // 66 bits: any long

    private final @Nullable Timer[] heads = new Timer[LEVELS * SLOTS];
    private final long[] occupied = new long[LEVELS];
    private long now;
    private int size;

    int size() {
        return size;
    }

    /** Adds a timer; one whose tick has been reached is handed out by the next advance. */
    void add(Timer timer, long tick) {
        timer.tick = Math.max(tick, now + 1);
        place(timer);
        size++;
    }

    /** Removes a timer. @return false when it is not here: it was handed out or removed before */
    boolean remove(Timer timer) {
        if (timer.slot < 0) return false;
        unlink(timer);
        size--;
        return true;
    }

    /** The tick at which to advance next, Long.MAX_VALUE when there are no timers. Never later than a timer's own. */
    long nextTick() {
        for (int level = 0; level < LEVELS; level++) {
            if (occupied[level] != 0) return slotStart(level, firstSlot(level));
        }
        return Long.MAX_VALUE;
    }

    /**
     * Moves time forward.
     *
     * @return the timers whose tick was reached, linked by {@code after}, in the order of their ticks
     */
    @Nullable
    Timer advance(long to) {
        Timer first = null;
        Timer last = null;
        while (true) {
            long next = nextTick();
            if (next > to) break;
            now = Math.max(now, next);
            int level = 0;
            while (occupied[level] == 0) level++;
            int slot = level * SLOTS + firstSlot(level);
            Timer each = heads[slot];
            while (each != null) {
                Timer following = each.after;
                unlink(each);
                if (each.tick <= now) {
                    size--;
                    each.slot = HANDED_OUT;
                    if (last == null) first = each;
                    else last.after = each;
                    last = each;
                } else {
                    place(each);
                }
                each = following;
            }
        }
        now = Math.max(now, to);
        return first;
    }

    private void place(Timer timer) {
        long differing = timer.tick ^ now;
        int level = differing == 0 ? 0 : (63 - Long.numberOfLeadingZeros(differing)) / BITS;
        int index = (int) (timer.tick >>> (level * BITS)) & MASK;
        int slot = level * SLOTS + index;
        Timer head = heads[slot];
        timer.slot = slot;
        timer.before = null;
        timer.after = head;
        if (head != null) head.before = timer;
        heads[slot] = timer;
        occupied[level] |= 1L << index;
    }

    private void unlink(Timer timer) {
        int slot = timer.slot;
        if (timer.before != null) timer.before.after = timer.after;
        else heads[slot] = timer.after;
        if (timer.after != null) timer.after.before = timer.before;
        if (heads[slot] == null) occupied[slot / SLOTS] &= ~(1L << slot % SLOTS);
        timer.slot = NOWHERE;
        timer.before = null;
        timer.after = null;
    }

    /** The occupied slot of this level that time reaches first. */
    private int firstSlot(int level) {
        int current = (int) (now >>> (level * BITS)) & MASK;
        return (Long.numberOfTrailingZeros(Long.rotateRight(occupied[level], current)) + current) & MASK;
    }

    private long slotStart(int level, int index) {
        int shift = level * BITS;
        int turnShift = shift + BITS;
        long turnStart = turnShift >= 64 ? 0 : (now >>> turnShift) << turnShift;
        return turnStart + ((long) index << shift);
    }
}
