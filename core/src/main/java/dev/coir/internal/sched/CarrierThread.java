package dev.coir.internal.sched;

/** A platform thread made to carry. */
final class CarrierThread extends Thread {
    /**
     * Two cache lines of nothing behind the fields of the JDK, which are written at each switch: a collector likes to put
     * threads side by side.
     */
    @SuppressWarnings("unused")
    private long p00, p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15;

    final Carrier carrier;

    CarrierThread(Carrier carrier, ThreadGroup threads, String name, long stackSize) {
        super(threads, null, name, stackSize, false);
        this.carrier = carrier;
        setDaemon(true);
    }

    @Override
    public void run() {
        carrier.runUntilStopped();
    }
}
