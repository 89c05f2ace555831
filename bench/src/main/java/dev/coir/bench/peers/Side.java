package dev.coir.bench.peers;

/**
 * One side of a comparison.
 *
 * @param contender the system
 * @param workers how many threads it runs fibers on
 */
record Side(Contender contender, int workers) implements Comparable<Side> {
    static Side of(Contender contender, int workers) {
        return new Side(contender, workers);
    }

    String id() {
        return contender.id() + "/" + workers;
    }

    /** For people, the workers included where there is a choice. */
    String label() {
        return contender.isParallel() ? contender.label() + " (" + workers + ")" : contender.label();
    }

    @Override
    public int compareTo(Side other) {
        int order = contender.compareTo(other.contender);
        return order != 0 ? order : Integer.compare(workers, other.workers);
    }
}
