package dev.coir.internal;

/**
 * Two cache lines of nothing in front of the fields of a subclass: what one thread writes all the time must not lie beside
 * what another reads. The JDK's own annotation for this is not open to us.
 */
@SuppressWarnings("unused")
public abstract class Padded {
    private long p00, p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15;

    /** For subclasses. */
    protected Padded() {}
}
