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
        Runnable action; // null when done or taken back

        Entry(long moment, long number, Runnable action) {
            this.moment = moment;
            this.number = number;
            this.action = action;
        }
    }

    /** So many that were taken back may stay, though there be fewer others. */
    private static final int FEW = 64;

    private final PriorityQueue<Entry> entries = new PriorityQueue<>(
            Comparator.<Entry>comparingLong(each -> each.moment).thenComparingLong(each -> each.number));
    private long entered;
    private int takenBack; // of the entries

    /**
     * Enters something.
     *
     * @return takes it back
     */
    Runnable enter(long moment, Runnable action) {
        var entry = new Entry(moment, entered++, action);
        entries.add(entry);
        return () -> takeBack(entry);
    }

    /** Most time limits are taken back long before they are due: they must not stay until then. */
    private void takeBack(Entry entry) {
        if (entry.action == null) return;
        entry.action = null;
        if (++takenBack <= FEW + entries.size() / 2) return;
        entries.removeIf(each -> each.action == null);
        takenBack = 0;
    }

    /** The next moment at which there is something to do, or Long.MAX_VALUE. */
    long next() {
        Entry first;
        while ((first = entries.peek()) != null && first.action == null) {
            entries.remove();
            takenBack--;
        }
        return first == null ? Long.MAX_VALUE : first.moment;
    }

    /** Does what was due by now. */
    void doUpTo(long now) {
        while (next() <= now) {
            Entry due = entries.remove();
            Runnable action = due.action;
            due.action = null;
            if (action != null) action.run();
        }
    }

    int size() {
        return entries.size();
    }
}
