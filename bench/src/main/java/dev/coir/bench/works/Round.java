package dev.coir.bench.works;

/** One work of one system, ready to be done again and again. */
@FunctionalInterface
public interface Round {
    /**
     * Does it once and says what it cost.
     *
     * @param ops how many operations
     * @return the work's figures, in the order of its measures
     */
    double[] run(int ops) throws Exception;

    /** Something to be timed. */
    interface Body {
        void run() throws Exception;
    }

    /** Runs {@code body} and gives the nanoseconds per operation. */
    static double[] nanosPerOp(long ops, Body body) throws Exception {
        long start = System.nanoTime();
        body.run();
        return new double[] {(System.nanoTime() - start) / (double) ops};
    }

    /** Runs {@code body} and gives the milliseconds that it took. */
    static double[] millis(Body body) throws Exception {
        return nanosPerOp(1_000_000, body);
    }
}
