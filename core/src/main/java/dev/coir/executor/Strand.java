package dev.coir.executor;

import dev.coir.internal.Apart;
import dev.coir.internal.StackRoom;
import dev.coir.internal.Uncaught;
import dev.coir.internal.task.Mailbox;
import dev.coir.internal.task.Task;
import dev.coir.internal.task.Tasks;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * An asynchronous mutex: runs tasks one after another, never two at once, on the threads of another executor. Tasks from
 * one submitter run in the order submitted, and each sees what the one before it wrote.
 *
 * <p>It has no thread. When a task comes to an idle strand, the strand asks the inner executor for one turn, and in it
 * runs whatever has gathered; so the more is submitted, the fewer turns are needed. After a thousand tasks it gives the
 * thread back and queues for another turn.
 *
 * <p>A task that throws goes to the thread's uncaught-exception handler, and the next one runs. When the inner executor
 * refuses a turn, {@link #execute} throws what it threw and that task will not run; tasks which others submitted in that
 * very moment are not lost: if a second attempt is refused as well, the refused submitter runs them before it throws.
 */
public final class Strand implements Executor {
    /*
     * A turn is the right to run tasks; it exists while the mailbox is not idle.
     *
     *   nobody    execute: send to the idle mailbox            the submitter holds the turn
     *   submitter offer = its number; inner.execute(turn)      whoever runs the turn next claims it
     *   runner    mailbox.tryIdle                              nobody
     *   runner    a thousand tasks done: offers as above       whoever runs the turn next
     *
     * T1. One holder at a time: the mailbox lets exactly one sender in (its M1), and an offered turn is claimed by one
     *     compare-and-set. So an inner executor that throws and yet runs the turn, or runs it twice, does no harm. Turns
     *     are numbered because by the time it throws, the turn may be over and the next one on offer.
     *     Guarded by StrandStress.MutualExclusion and StrandRejectionTest.
     * T2. The next holder sees all that the last one wrote: it goes through the inner executor, or through the mailbox.
     * T3. Tasks are lost to no refusal. Guarded by StrandRejectionTest.
     * T4. A runner whose inner executor runs the next turn at once, on the same thread, gets it back instead of nesting it:
     *     the stack stays flat however long the work. StrandTest.overTheCallingThreadALongLoopOfSubmitsDoesNotDeepenTheStack
     *
     * The turn is a plain Runnable and not a Task, since foreign code may put it into two queues at once, and a Task has one
     * link. StrandRejectionTest.anInnerExecutorThatGivesTheTurnToTwoStrandsHarmsNeither
     */
    private static final int TASKS_PER_TURN = 1000;
    private static final long PASSING = 1; // in an offer: the runner that made it is still inside inner.execute
    private static final VarHandle OFFER;

    static {
        Apart.prepare();
        try {
            OFFER = MethodHandles.lookup().findVarHandle(Strand.class, "offer", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Executor inner;
    private final Mailbox mailbox = new Mailbox();
    private final Runnable turn = new Turn();
    private volatile long offer; // the turn's number, perhaps PASSING; 0: none. Set by the holder, claimed by the next
    private volatile long returned; // the last turn that came back to its passer (T4); written by the holder
    private long lastNumber; // holder only; even
    private @Nullable Thread passer; // holder only: who made the PASSING offer
    private @Nullable Task batch; // holder only: taken from the mailbox, not yet run

    private Strand(Executor inner) {
        this.inner = inner;
    }

    /**
     * A strand whose tasks run on {@code inner}.
     *
     * @param inner any executor, another strand included
     * @return the strand
     */
    public static Strand over(Executor inner) {
        return new Strand(Objects.requireNonNull(inner, "inner"));
    }

    /**
     * Queues a task behind those already submitted. Lock-free up to the inner executor's own {@code execute}.
     *
     * @param command what to run
     * @throws RejectedExecutionException when the inner executor refuses; the task will not run
     */
    @Override
    public void execute(Runnable command) {
        StackRoom.ensureMore();
        Task task = Tasks.of(command);
        if (!mailbox.send(task)) return;
        long number = nextNumber();
        try {
            offer(number);
        } catch (Throwable refusal) {
            if (claim(number)) withdrawOldest(task);
            throw refusal;
        }
    }

    private long nextNumber() {
        return lastNumber += 2;
    }

    private void offer(long number) {
        offer = number;
        Apart.execute(inner, turn); // else what it asks of the stack might be asked before the turn is on offer
    }

    private boolean claim(long number) {
        return offer == number && OFFER.compareAndSet(this, number, 0L);
    }

    /** Takes back the refused task, which found the mailbox idle and so is its oldest; the others must still run. */
    private void withdrawOldest(Task refused) {
        Task oldest = mailbox.takeAll();
        assert oldest == refused;
        batch = Tasks.unlink(refused);
        if (batch == null && mailbox.tryIdle()) return;
        if (!passTurnOn()) runTurn();
    }

    /** Offers the turn to the inner executor. When that refuses, or runs it right here, the caller still holds it. */
    private boolean passTurnOn() {
        long number = nextNumber();
        passer = Thread.currentThread();
        boolean kept;
        try {
            offer(number | PASSING);
            OFFER.compareAndSet(this, number | PASSING, number);
            kept = false;
        } catch (RejectedExecutionException refusal) {
            kept = claim(number | PASSING);
        } catch (Throwable broken) {
            kept = claim(number | PASSING);
            Uncaught.report(broken);
        }
        return !kept && returned != number;
    }

    private void runOfferedTurn() {
        for (long seen = offer; seen != 0; seen = offer) {
            if (!claim(seen)) continue; // perhaps no longer PASSING
            if ((seen & PASSING) != 0 && passer == Thread.currentThread()) returned = seen & ~PASSING;
            else runTurn();
            return;
        }
    }

    private void runTurn() {
        int left = TASKS_PER_TURN;
        Task each = batch;
        batch = null;
        while (true) {
            if (each == null) {
                each = mailbox.takeAll();
                if (each == null && mailbox.tryIdle()) return;
                continue;
            }
            if (left-- == 0) {
                batch = each;
                if (passTurnOn()) return;
                batch = null;
                left = TASKS_PER_TURN;
            }
            Task rest = Tasks.unlink(each);
            runReporting(each);
            each = rest;
        }
    }

    private static void runReporting(Task task) {
        try {
            Tasks.perform(task);
        } catch (Throwable failure) {
            Uncaught.report(failure);
        }
    }

    @Override
    public String toString() {
        return "Strand[" + (mailbox.isIdle() ? "idle" : "busy") + ", over " + inner + "]";
    }

    private final class Turn implements Runnable {
        @Override
        public void run() {
            runOfferedTurn();
        }

        @Override
        public String toString() {
            return "a turn of " + Strand.this;
        }
    }
}
