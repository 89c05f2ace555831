package dev.coir.internal.sched;

/** A platform thread made to carry. */
final class CarrierThread extends Thread {
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
