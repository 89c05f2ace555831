package dev.coir.observe;

import dev.coir.fiber.Fiber;
import dev.coir.internal.JdkAccess;
import dev.coir.internal.task.Party;
import dev.coir.internal.task.Task;
import dev.coir.internal.task.Tasks;
import dev.coir.internal.trace.Sink;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Writes down what the scheduler and the user tell, each thread in its own ring. */
final class Recorder implements Sink {
    /*
     * C1. It begins to write only when every thread has been told that tracing is on, and stops before any is told that it is off.
     *     So on a thread nothing is missing between its first event and its last, save what its ring has overwritten.
     * C2. Names and numbers are written down, not fibers: a trace keeps no fiber alive.
     * C3. It never throws: who calls is in the middle of the scheduler. What there was no memory for is counted.
     */
    private final Rings rings;
    private final LongAdder unwritten = new LongAdder(); // for want of memory
    private volatile boolean writing; // C1

    Recorder(int eventsPerThread) {
        this.rings = new Rings(eventsPerThread);
    }

    void begin() {
        writing = true;
    }

    /** Ends the writing. @return what was written, per thread */
    List<Ring> end() {
        writing = false;
        return rings.seal();
    }

    /** How many events there was no memory for. */
    long unwritten() {
        return unwritten.sum();
    }

    /** An event of the user's begins or ends. */
    void note(TraceEvent event) {
        add(here(), Ring.Kind.EVENT, 0, 0, null, event);
    }

    void mark(String name, Scene scene) {
        add(here(), Ring.Kind.MARK, 0, 0, name, scene);
    }

    private static Thread here() {
        return JdkAccess.currentCarrierThread();
    }

    private void add(
            Thread on, Ring.Kind kind, long fiber, long number, @Nullable Object name, @Nullable Object detail) {
        if (!writing) return;
        try {
            rings.of(on).add(kind, fiber, number, name, detail);
        } catch (OutOfMemoryError | StackOverflowError full) {
            unwritten.increment();
        }
    }

    private void addFiber(Thread on, Ring.Kind kind, Object task, @Nullable Object detail) {
        if (task instanceof Fiber<?> fiber) add(on, kind, fiber.id(), 0, Party.givenNameOf(fiber), detail);
    }

    @Override
    public void sliceBegan(Thread carrier, Object task) {
        if (task instanceof Fiber<?> fiber) {
            add(carrier, Ring.Kind.SLICE_BEGAN, fiber.id(), 0, Party.givenNameOf(fiber), null);
        } else {
            Runnable command = task instanceof Task any ? Tasks.commandOf(any) : null;
            add(carrier, Ring.Kind.SLICE_BEGAN, 0, 0, command == null ? task.getClass() : command.getClass(), null);
        }
    }

    @Override
    public void sliceEnded(Thread carrier) {
        add(carrier, Ring.Kind.SLICE_ENDED, 0, 0, null, null);
    }

    @Override
    public void started(Object task) {
        addFiber(here(), Ring.Kind.STARTED, task, null);
    }

    @Override
    public void ended(Object fiber) {
        addFiber(here(), Ring.Kind.ENDED, fiber, null);
    }

    @Override
    public void waits(Object fiber, String reason) {
        addFiber(here(), Ring.Kind.WAITS, fiber, reason);
    }

    @Override
    public void waited(Object fiber) {
        addFiber(here(), Ring.Kind.WAITED, fiber, null);
    }

    @Override
    public void unparked(Object fiber) {
        addFiber(here(), Ring.Kind.UNPARKED, fiber, null);
    }

    @Override
    public void sleeps(Thread carrier, boolean polling) {
        add(carrier, Ring.Kind.SLEEPS, 0, polling ? 1 : 0, null, null);
    }

    @Override
    public void slept(Thread carrier) {
        add(carrier, Ring.Kind.SLEPT, 0, 0, null, null);
    }

    @Override
    public void stole(Thread carrier, Thread victim, int count) {
        add(carrier, Ring.Kind.STOLE, 0, count, victim.getName(), null);
    }

    @Override
    public void handedOff(Thread from, Thread to) {
        add(here(), Ring.Kind.HANDED_OFF, 0, from.threadId(), from.getName(), to.getName());
    }

    @Override
    public void askedToGiveWay(Thread carrier, @Nullable Object task) {
        long fiber = task instanceof Fiber<?> asked ? asked.id() : 0;
        add(here(), Ring.Kind.ASKED, fiber, carrier.threadId(), carrier.getName(), null);
    }
}
