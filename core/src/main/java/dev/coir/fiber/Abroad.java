package dev.coir.fiber;

import dev.coir.executor.Scheduler;
import dev.coir.internal.Rethrow;
import dev.coir.internal.sched.SchedulerCore;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;
import java.util.concurrent.Executor;

/** How slices get to executors that are no schedulers of ours, which may be shut down, be broken, or be called where the stack ends. */
final class Abroad {
    private static MethodHandle handOver; // not final, lest the JIT inline it

    static {
        try {
            var lookup = MethodHandles.lookup();
            handOver = lookup.findVirtual(Executor.class, "execute", MethodType.methodType(void.class, Runnable.class));
            lookup.ensureInitialized(Resumption.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Abroad() {}

    /**
     * A fiber over a foreign executor that has shut down meanwhile, or is broken, goes on elsewhere: it must be able to end, and
     * who woke it has nothing to do with it.
     */
    static void resume(Executor executor, Runnable command) {
        try {
            handOver(executor, command);
        } catch (StackOverflowError tooDeep) { // who wakes it has room for no more than this
            resumeApart(executor, command);
        } catch (Throwable refused) {
            resumeOnCommon(command);
        }
    }

    /** On the common scheduler, which never closes and has room for whatever has begun. */
    static void resumeOnCommon(Runnable command) {
        SchedulerCore common = Objects.requireNonNull(SchedulerCore.of(Scheduler.common()));
        common.tryResume(command, common.group(-1));
    }

    /**
     * What an executor asks for is asked for when it is called, and not when those who wake begin: O3 of StackRoom. Whatever
     * VirtualFiber.execute calls an executor for goes this way, a start as well: the JIT would make one frame of both.
     */
    static void handOver(Executor to, Runnable command) {
        try {
            handOver.invokeExact(to, command);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /** Hands a slice over on a stack of its own. */
    static void resumeApart(Executor executor, Runnable command) {
        new Resumption(executor, command).start();
    }

    private static final class Resumption extends Thread {
        private static final long STACK_BYTES = 64 << 20; // it may have to carry a fiber that found no room elsewhere
        private final Executor executor;
        private final Runnable command;

        Resumption(Executor executor, Runnable command) {
            super(null, null, "coir-resume", STACK_BYTES, false);
            this.executor = executor;
            this.command = command;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                executor.execute(command);
            } catch (Throwable refused) { // also one that overflows any stack
                resumeOnCommon(command);
            }
        }
    }
}
