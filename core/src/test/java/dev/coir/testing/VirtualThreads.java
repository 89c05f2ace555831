package dev.coir.testing;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;

/** The JDK's virtual threads on a scheduler of the test's choice. */
public final class VirtualThreads {
    private static final MethodHandle NEW;
    private static final MethodHandle CARRIER;

    static {
        try {
            Class<?> builders = Class.forName("java.lang.ThreadBuilders");
            NEW = MethodHandles.privateLookupIn(builders, MethodHandles.lookup())
                    .findStatic(
                            builders,
                            "newVirtualThread",
                            MethodType.methodType(
                                    Thread.class, Executor.class, String.class, int.class, Runnable.class));
            CARRIER = MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup())
                    .findStatic(Thread.class, "currentCarrierThread", MethodType.methodType(Thread.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private VirtualThreads() {}

    /** A virtual thread that gives {@code scheduler} something to run whenever it can go on. What it throws is uncaught. */
    public static Thread unstarted(Executor scheduler, Runnable body) {
        try {
            return (Thread) NEW.invokeExact(scheduler, (String) null, 0, body);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** The platform thread that the calling thread runs on. */
    public static Thread carrier() {
        try {
            return (Thread) CARRIER.invokeExact();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
