package dev.coir.internal.sched;

import dev.coir.internal.task.Live;
import dev.coir.internal.task.Party;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A short call that a party leaves to its carrier, to wait for what comes of it already. One party at a time has it, and may leave it
 * again and again.
 */
public abstract class Errand {
    /*
     * from     to       cause                            who moves
     * NONE     LEFT     the party leaves it              the party
     * LEFT     RUNNING  its turn has come                who runs it, by CAS
     * RUNNING  DONE     nothing is left to do            that one
     * RUNNING  REST     something is left                that one, which then wakes the party
     * LEFT     NONE     the party takes it back          the party, by CAS
     * DONE     NONE     likewise                         the party
     * REST     NONE     likewise                         the party
     *
     * F1. What the errand is about belongs to the party, but while it is LEFT to nobody, and while it is RUNNING to who runs it. What the one has
     *     written the other sees. Guarded by ErrandStress.
     * F2. Who runs it late may meet it left again: then its turn has come early.
     */
    private static final int NONE = 0;
    private static final int LEFT = 1;
    private static final int RUNNING = 2;
    private static final int DONE = 3;
    private static final int REST = 4;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Errand.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Nullable
    Errand older; // in the list that it stands in; written by who leaves it, then by who takes it

    volatile boolean listed; // set by who leaves it, cleared by who takes it out, before it is run
    private volatile int state;

    /** Of whoever has a call to leave. */
    protected Errand() {}

    /**
     * Makes the call. Any thread; never waits, and throws nothing.
     *
     * @return whether nothing is left for the party to do
     */
    protected abstract boolean run();

    /**
     * The party may go on from now on, or has to be woken for that. The one that called {@link #run}.
     *
     * @param all whether nothing is left; else the party is to be woken
     */
    protected abstract void ended(boolean all);

    /**
     * Leaves it to the carrier of the calling fiber, to be followed by {@link #takeBack}.
     *
     * @return false when that was not possible: no scheduler runs the caller, or it stands in a list from an earlier time
     */
    public final boolean leave() {
        if (listed) return false;
        Live fiber = Party.current();
        Carrier here = Carrier.current();
        if (fiber == null || here == null || here.running() != fiber)
            return false; // another executor may run it on top of a task
        if (!here.canHandOff()) return false; // the monitor does not look after bound threads: D2 of Errands
        leaveTo(here.errands); // D3 of Errands
        return true;
    }

    final void leaveTo(Errands errands) {
        state = LEFT;
        errands.add(this);
    }

    /**
     * Ends what {@link #leave} began. The party only.
     *
     * @return whether something is left to do, and the party's to do
     */
    @SuppressWarnings("ThreadPriorityCheck") // who runs it makes one short call
    public final boolean takeBack() {
        if (state == LEFT && STATE.compareAndSet(this, LEFT, NONE)) return true;
        while (state == RUNNING) Thread.yield();
        boolean isLeft = state != DONE;
        state = NONE;
        return isLeft;
    }

    /** Its turn has come. Any thread. */
    final void perform() {
        if (state != LEFT || !STATE.compareAndSet(this, LEFT, RUNNING)) return;
        boolean all = run();
        state = all ? DONE : REST;
        ended(all);
    }
}
