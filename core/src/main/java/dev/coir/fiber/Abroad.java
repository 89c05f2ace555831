package dev.coir.fiber;

import dev.coir.executor.Scheduler;
import dev.coir.internal.Apart;
import dev.coir.internal.sched.SchedulerCore;
import java.util.Objects;
import java.util.concurrent.Executor;

/** How slices get to executors that are no schedulers of ours, which may be shut down, be broken, or be called where the stack ends. */
final class Abroad {
    static {
        Apart.prepare();
        new Resumption(Runnable::run, () -> {}).run(); // where it is needed there may be no room to link it
    }

    private Abroad() {}

    /**
     * A fiber over a foreign executor that has shut down meanwhile, or is broken, goes on elsewhere: it must be able to end, and
     * who woke it has nothing to do with it.
     */
    static void resume(Executor executor, Runnable command) {
        try {
            Apart.execute(executor, command);
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

    /** Hands a slice over on a stack of its own. */
    static void resumeApart(Executor executor, Runnable command) {
        Apart.runOnOwnStack(new Resumption(executor, command));
    }

    private record Resumption(Executor executor, Runnable command) implements Runnable {
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
