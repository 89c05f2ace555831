package dev.coir.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** What has happened, step by step: the last steps as lines to read, and all of them as one number to compare. Any thread. */
final class Steps {
    private record Step(long number, long nanos, String who, String then) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%6d  %12s  %s, then %s", number, shown(nanos), who, then);
        }
    }

    private static final int KEPT = 64;
    private final Step[] last = new Step[KEPT];
    private long count;
    private long fingerprint = 0xcbf29ce484222325L;

    synchronized void add(long nanos, String who, String then) {
        last[(int) (count % KEPT)] = new Step(count, nanos, who, then);
        count++;
        fingerprint = mixed(mixed(mixed(fingerprint, nanos), who.hashCode()), then.hashCode());
    }

    private static long mixed(long hash, long value) {
        return Long.rotateLeft(hash ^ value, 23) * 0x9E3779B97F4A7C15L;
    }

    synchronized long count() {
        return count;
    }

    synchronized long fingerprint() {
        return fingerprint;
    }

    synchronized List<String> lastLines() {
        var lines = new ArrayList<String>();
        for (long i = Math.max(0, count - KEPT); i < count; i++)
            lines.add(Objects.requireNonNull(last[(int) (i % KEPT)]).toString());
        return lines;
    }

    static String shown(long nanos) {
        return String.format(Locale.ROOT, "%,.3f ms", nanos / 1e6);
    }
}
