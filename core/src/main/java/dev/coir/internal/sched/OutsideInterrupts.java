package dev.coir.internal.sched;

import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.AbstractInterruptibleChannel;

/**
 * Hears that somebody interrupts a thread. A bound thread needs it while it runs fibers on top of its own wait: a virtual
 * thread that comes or goes clears its carrier's interrupt, and a fiber with a bare stack takes it for its own.
 *
 * <p>The JDK offers one way to be told: a channel is closed when a thread inside it is interrupted, by anybody but itself.
 */
final class OutsideInterrupts extends AbstractInterruptibleChannel {
    /** Begins to listen; hears also an interrupt that is there already. The thread itself only. */
    void listen() {
        begin();
    }

    /** Ends listening. @return whether there was an interrupt; then this object is used up. The thread itself only */
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
