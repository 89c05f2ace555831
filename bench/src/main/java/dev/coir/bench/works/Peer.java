package dev.coir.bench.works;

/** A system that can do works. */
public interface Peer {
    /**
     * Makes a work ready.
     *
     * @param name the work
     * @param size how many fibers, or how deep: the work's own measure
     * @return the work
     * @throws IllegalArgumentException when this system does not do it
     */
    Round work(String name, int size);

    /** What a system throws that is asked for what it does not do. */
    static IllegalArgumentException unknown(Object peer, String work) {
        return new IllegalArgumentException(peer.getClass().getSimpleName() + " has no work " + work);
    }
}
