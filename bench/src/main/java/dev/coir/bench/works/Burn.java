package dev.coir.bench.works;

/** About a microsecond of computing that no compiler takes away. The Go side does the same steps. */
public final class Burn {
    private static final int STEPS = 700;
    private static volatile long sink;

    private Burn() {}

    /** Burns it. */
    public static void microsecond() {
        long x = 88172645463325252L;
        for (int i = 0; i < STEPS; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        if (x == 0) sink = x; // never: xorshift does not reach zero
    }

    /** What it computed, for whoever doubts it. */
    static long sink() {
        return sink;
    }
}
