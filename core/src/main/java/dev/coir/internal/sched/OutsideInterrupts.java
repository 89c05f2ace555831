package dev.coir.internal.sched;

import dev.coir.internal.task.Task;
import dev.coir.internal.task.Tasks;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import org.jspecify.annotations.Nullable;

/**
 * Hears that somebody interrupts a thread, and keeps it for that thread. A bound thread needs it while it runs fibers on top of
 * its own wait: a virtual thread that comes or goes clears its carrier's interrupt, and a fiber with a bare stack takes it for
 * its own. For that thread only.
 */
public final class OutsideInterrupts {
    /** The one way in which the JDK tells: a channel is closed when a thread inside it is interrupted, by anybody but itself. */
    private static final class Ear extends AbstractInterruptibleChannel {
        void listen() {
            begin();
        }

        /** @return whether there was an interrupt; then this object is used up */
        boolean heard() {
            try {
                end(true);
                return false;
            } catch (AsynchronousCloseException interrupted) {
                return true;
            }
        }

        @Override
        protected void implCloseChannel() {}
    }

    private @Nullable Ear ear;
    private boolean kept;

    OutsideInterrupts() {}

    /**
     * From now on an interrupt of the calling thread is meant for the fiber that runs on it.
     *
     * @param carrier the calling thread's
     */
    public static void lend(Carrier carrier) {
        if (!carrier.canHandOff()) carrier.interrupts.stopListening();
    }

    /**
     * The opposite of {@link #lend}.
     *
     * @param carrier the calling thread's
     */
    public static void endLending(Carrier carrier) {
        if (!carrier.canHandOff()) carrier.interrupts.listen();
    }

    /**
     * Takes the calling thread's interrupt for the fiber that runs on it, unless it is meant for the thread itself.
     *
     * @param carrier the calling thread's
     * @return whether the fiber has it
     */
    public static boolean takeForFiber(Carrier carrier) {
        return Thread.interrupted() && (carrier.canHandOff() || carrier.interrupts.wasOfFiber());
    }

    /** Runs a fiber so that an interrupt of this thread reaches this thread. */
    void perform(Task task) {
        listen();
        try {
            Tasks.perform(task);
        } finally {
            giveBack();
        }
    }

    /** Begins to listen; hears also an interrupt that is there already. */
    private void listen() {
        if (ear == null) ear = new Ear();
        ear.listen();
    }

    private void stopListening() {
        if (ear == null || !ear.heard()) return;
        ear = null;
        kept = true;
    }

    /** Whether the interrupt that was just taken is the fiber's own: nobody outside made one since it was last asked. */
    private boolean wasOfFiber() {
        boolean before = kept;
        stopListening();
        listen();
        return kept == before;
    }

    /** Stops listening, and interrupts the thread if that was heard, and only then. */
    private void giveBack() {
        stopListening();
        Thread.interrupted(); // what is left is the fiber's
        if (kept) Thread.currentThread().interrupt();
        kept = false;
    }
}
