package dev.coir.observe;

import dev.coir.internal.sched.Carrier;
import dev.coir.internal.task.Live;
import dev.coir.internal.task.Party;
import dev.coir.internal.task.Task;
import dev.coir.internal.task.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A question to one thread: what are the stacks of your LIGHT fibers? */
final class Walk {
    /*
     * B1. Only the thread that a bare stack belongs to walks it, so nobody enters it meanwhile; any other is refused. Guarded by
     *     FiberDumpTest.anotherThreadIsRefusedTheStackOfALightFiber. (Without the refusal, a thread that walks stacks which are
     *     being switched crashes the JVM within seconds: seen on JDK 25.0.3.)
     * B2. The thread answers in portions of two milliseconds, and between two of them it runs what waits.
     * B3. An answer goes from that thread to the asker by `answered`: views before it are complete, and stay as they are.
     */
    private static final long PORTION_NANOS = 2_000_000;

    private final Carrier carrier;
    private final List<Live> fibers;
    private final BiFunction<Live, StackTraceElement @Nullable [], @Nullable FiberView> look;
    private final @Nullable FiberView[] views; // that thread only; before `answered`: anybody
    private final Task question = Tasks.slice(this::answerAsTask);
    private final Thread asker = Thread.currentThread();
    private volatile int answered;
    private volatile boolean withdrawn; // nobody waits for the answer any more

    Walk(
            Carrier carrier,
            List<Live> fibers,
            BiFunction<Live, StackTraceElement @Nullable [], @Nullable FiberView> look) {
        this.carrier = carrier;
        this.fibers = fibers;
        this.look = look;
        this.views = new FiberView[fibers.size()];
    }

    Carrier carrier() {
        return carrier;
    }

    /** Puts the question to the thread, which answers when the slice that runs there ends. Any thread but that one. */
    void ask() {
        carrier.send(question);
    }

    private void answerAsTask() {
        if (!answer(PORTION_NANOS)) carrier.pushBound(question);
    }

    /** Answers, not for longer than told. That thread only. @return whether there is nothing left to answer */
    @SuppressWarnings("NonAtomicVolatileUpdate") // by one thread
    boolean answer(long budgetNanos) {
        long begun = System.nanoTime();
        int next = answered;
        while (next < views.length && !withdrawn) {
            Live fiber = fibers.get(next);
            views[next] = look.apply(fiber, Party.bareFramesOf(fiber));
            answered = ++next;
            if (System.nanoTime() - begun > budgetNanos) break;
        }
        LockSupport.unpark(asker);
        return withdrawn || next == views.length;
    }

    int answered() {
        return answered;
    }

    boolean isAnswered() {
        return answered == views.length;
    }

    /** The question need not be answered any more. */
    void withdraw() {
        withdrawn = true;
    }

    /** What was answered so far, less the fibers that had ended. */
    List<FiberView> views() {
        var found = new ArrayList<FiberView>();
        int complete = answered;
        for (int i = 0; i < complete; i++) {
            FiberView view = views[i];
            if (view != null) found.add(view);
        }
        return found;
    }

    /** The fibers for which there is no answer. */
    List<Live> unanswered() {
        return fibers.subList(answered, fibers.size());
    }
}
