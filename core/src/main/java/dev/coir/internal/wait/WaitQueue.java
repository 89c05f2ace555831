package dev.coir.internal.wait;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait, first come first: linked through themselves, so that standing in line allocates nothing and leaving it
 * from the middle takes constant time. Not thread-safe: the primitive that owns it guards it.
 *
 * @param <L> what stands in line: a {@link Waiter}, or something that leads to one
 */
public final class WaitQueue<L extends WaitQueue.Link> implements Iterable<L> {
    /** May stand in one queue at a time. A {@link Waiter} is one; a party that waits in several has one link in each. */
    public abstract static class Link {
        @Nullable
        Link before; // all three: guarded by whoever guards the queue

        @Nullable
        Link after;

        @Nullable
        WaitQueue<?> queue;

        /** In no queue. */
        protected Link() {}
    }

    private @Nullable Link first;
    private @Nullable Link last;
    private int size;

    /** An empty queue. */
    public WaitQueue() {}

    /**
     * Puts a link at the end.
     *
     * @param link stands in no queue
     */
    public void addLast(L link) {
        enter(link);
        link.before = last;
        if (last == null) first = link;
        else last.after = link;
        last = link;
    }

    /**
     * Puts a link at the front: for one who had a turn already and could not use it.
     *
     * @param link stands in no queue
     */
    public void addFirst(L link) {
        enter(link);
        link.after = first;
        if (first == null) last = link;
        else first.before = link;
        first = link;
    }

    private void enter(Link link) {
        if (link.queue != null) throw new IllegalStateException(link + " stands in a queue already");
        link.queue = this;
        size++;
    }

    /**
     * The one whose turn is next.
     *
     * @return it, or null when nobody waits
     */
    @SuppressWarnings("unchecked") // only an L was let in
    public @Nullable L first() {
        return (L) first;
    }

    /**
     * Takes out the one whose turn is next.
     *
     * @return it, or null when nobody waits
     */
    public @Nullable L pollFirst() {
        L link = first();
        if (link != null) unlink(link);
        return link;
    }

    /**
     * Takes out a link, wherever it stands. Constant time.
     *
     * @param link any
     * @return false when it does not stand here (any more)
     */
    public boolean remove(L link) {
        if (link.queue != this) return false;
        unlink(link);
        return true;
    }

    private void unlink(Link link) {
        Link earlier = link.before;
        Link later = link.after;
        if (earlier == null) first = later;
        else earlier.after = later;
        if (later == null) last = earlier;
        else later.before = earlier;
        link.before = null;
        link.after = null;
        link.queue = null;
        size--;
    }

    /**
     * Whether a link stands here.
     *
     * @param link any
     * @return true when it does
     */
    public boolean contains(L link) {
        return link.queue == this;
    }

    /**
     * Whether nobody waits.
     *
     * @return true when empty
     */
    public boolean isEmpty() {
        return first == null;
    }

    /**
     * How many wait.
     *
     * @return 0 or more
     */
    public int size() {
        return size;
    }

    /** From the first to the last. The queue must not change meanwhile. */
    @Override
    public Iterator<L> iterator() {
        return new Iterator<>() {
            private @Nullable Link next = first;

            @Override
            public boolean hasNext() {
                return next != null;
            }

            @Override
            @SuppressWarnings("unchecked") // only an L was let in
            public L next() {
                Link link = next;
                if (link == null) throw new NoSuchElementException();
                next = link.after;
                return (L) link;
            }
        };
    }
}
