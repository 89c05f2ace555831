package dev.coir.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;

/**
 * Calls that the JIT cannot make a part of who calls: what they ask of the stack is asked when they are made, and not where the
 * caller begins, perhaps after something was taken that must be given on (O3 of StackRoom).
 */
public final class Apart {
    /** A handle prepares itself at its first use and once more later: not where a stack ends. */
    private static final int OFTEN = 150;

    private static MethodHandle execute; // not final, lest the JIT inline it
    private static MethodHandle run; // likewise

    static {
        try {
            var lookup = MethodHandles.lookup();
            execute = lookup.findVirtual(Executor.class, "execute", MethodType.methodType(void.class, Runnable.class));
            run = lookup.findVirtual(Runnable.class, "run", MethodType.methodType(void.class));
            lookup.ensureInitialized(OwnStack.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        Executor nobody = command -> {};
        for (int i = 0; i < OFTEN; i++) {
            execute(nobody, () -> {});
            run(() -> {});
        }
    }

    private Apart() {}

    /** To be called beforehand by those who may need it where there is no room to initialize a class. */
    public static void prepare() {}

    /**
     * Hands a command over.
     *
     * @param to an executor
     * @param command what it is to run
     */
    public static void execute(Executor to, Runnable command) {
        try {
            execute.invokeExact(to, command);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /**
     * Runs a command here.
     *
     * @param command what to run
     */
    public static void run(Runnable command) {
        try {
            run.invokeExact(command);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /**
     * Runs a command on a thread of its own, for who has no room left.
     *
     * @param command what to run; must not throw
     */
    public static void runOnOwnStack(Runnable command) {
        new OwnStack(command).start();
    }

    private static final class OwnStack extends Thread {
        private static final long BYTES = 64 << 20; // it may have to carry a fiber that found no room elsewhere

        OwnStack(Runnable command) {
            super(null, command, "coir-resume", BYTES, false);
            setDaemon(true);
        }
    }
}
