package dev.coir.internal;

import java.util.ArrayList;
import java.util.List;

/** The monitors that the calling thread holds while it is about to enter a stack on top of its own frames. */
public final class MonitorsBelow {
    /*
     * A monitor that nobody else wants is noted in a short list of the thread that holds it. When a stack is left, the JVM saves the whole
     * list with it, and when it is entered again writes it over what is there: it takes for granted that nothing is held
     * below. If something is, that is not held any more from then on, and the list soon holds what is no object.
     *
     * M1. When a stack is entered, the list is empty. What was on it has become a monitor of the heavier kind, which is noted nowhere but in
     *     itself. Guarded by MonitorsBelowTest.
     *
     * A wait makes it one, and one that is interrupted already returns at once, without having let go. Nothing else does in JDK 25.
     */
    private MonitorsBelow() {}

    /** To be called where frames of the user's may lie below, before a stack is entered. Costs two loads if nothing is held. */
    public static void settle() {
        if (VmThread.holdsListedMonitors()) settleListed();
    }

    private static void settleListed() {
        boolean interrupted = Thread.interrupted();
        for (Object each : held()) makeHeavy(each);
        if (interrupted) Thread.currentThread().interrupt();
    }

    private static List<Object> held() {
        List<Object> found = new ArrayList<>();
        JdkAccess.liveWalker().forEach(frame -> {
            for (Object each : JdkAccess.monitorsOf(frame)) if (Thread.holdsLock(each)) found.add(each);
        });
        return found;
    }

    @SuppressWarnings({"WaitNotInLoop", "InterruptedExceptionSwallowed"}) // it does not wait
    private static void makeHeavy(Object held) {
        Thread.currentThread().interrupt();
        try {
            synchronized (held) { // once more: for the compiler
                held.wait(1);
            }
        } catch (InterruptedException asMeant) {
            return;
        }
        Thread.interrupted();
    }
}
