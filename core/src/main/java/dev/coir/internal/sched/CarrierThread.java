package dev.coir.internal.sched;

import dev.coir.internal.JdkAccess;

/** A platform thread made to carry. */
final class CarrierThread extends Thread {
    /*
     * The system gives a new thread the stack of one that has ended, if that is at most four times as large as asked for (glibc). A VIRTUAL
     * fiber may have gone deeper there than the stack of the next thread reaches, and the JVM does not survive that: O4 of StackRoom. So nobody
     * gets less than what most threads of a JVM have; who asks for more is rarely given yet more.
     */
    private static final long LEAST = 1 << 20; // the JVM's default, mostly

    final Carrier carrier;

    CarrierThread(Carrier carrier, ThreadGroup threads, String name, long stackSize) {
        super(threads, null, name, stackSize < LEAST ? 0 : stackSize, false);
        this.carrier = carrier;
        setDaemon(true);
    }

    @Override
    public void run() {
        JdkAccess.bindNothing();
        carrier.runUntilStopped();
    }
}
