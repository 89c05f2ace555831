package dev.coir.sim;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** What is to be done at which moment. One thread only. */
final class Agenda {
    /** One entry. Those of one moment are done in the order in which they were entered. */
    private static final class Entry {
        final long moment;
        final long number;

        @Nullable
        Runnable action; // null when taken back

        Entry(long moment, long number, Runnable action) {
            this.moment = moment;
            this.number = number;
            this.action = action;
        }
    }

    private final PriorityQueue<Entry> entries = new PriorityQueue<>(
            Comparator.<Entry>comparingLong(each -> each.moment).thenComparingLong(each -> each.number));
    private long entered;

    /**
     * Enters something.
     *
     * @return takes it back
     */
    Runnable enter(long moment, Runnable action) {
        var entry = new Entry(moment, entered++, action);
        entries.add(entry);
        return () -> entry.action = null;
    }

    /** The next moment at which there is something to do, or Long.MAX_VALUE. */
    long next() {
        Entry first;
        while ((first = entries.peek()) != null && first.action == null) entries.remove();
        return first == null ? Long.MAX_VALUE : first.moment;
    }

    /** Does what was due by now. */
    void doUpTo(long now) {
        while (next() <= now) {
            Entry due = entries.remove();
            if (due.action != null) due.action.run();
        }
    }
}
