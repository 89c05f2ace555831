package dev.coir.bench.works;

/** What trees of fibers must come to. */
public final class Trees {
    private Trees() {}

    /** How many nodes below the root, in a tree of {@code depth} levels where each has {@code width} children. */
    public static int nodes(int width, int depth) {
        int nodes = 0;
        int level = 1;
        for (int i = 0; i < depth; i++) {
            level *= width;
            nodes += level;
        }
        return nodes;
    }

    /** Holds a skynet to the sum of its leaves' numbers. */
    public static void ensureSum(long leaves, long sum) {
        long expected = leaves * (leaves - 1) / 2;
        if (sum != expected) throw new IllegalStateException("skynet: " + sum + " (expected: " + expected + ")");
    }

    /** Holds a binary tree to the number of its nodes. */
    public static void ensureNodes(int depth, int nodes) {
        int expected = (1 << depth) - 1;
        if (nodes != expected) throw new IllegalStateException("nodes: " + nodes + " (expected: " + expected + ")");
    }
}
