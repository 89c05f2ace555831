package dev.coir.channel;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A value was sent to a closed channel, or received from one that is closed and has none left. Its cause is what the channel
 * was closed with, if anything.
 */
public final class ChannelClosedException extends IllegalStateException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * For a channel that was closed.
     *
     * @param message what could not be done
     * @param cause what the channel was closed with, or null
     */
    public ChannelClosedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
