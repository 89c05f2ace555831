package dev.coir.channel;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** The values of a channel, until it is closed. For one thread or fiber. */
final class UntilClosed<T> implements Iterator<T> {
    private final Conduit<T> channel;
    private @Nullable T next;

    UntilClosed(Conduit<T> channel) {
        this.channel = channel;
    }

    @Override
    public boolean hasNext() {
        if (next != null) return true;
        try {
            next = channel.receive();
            return true;
        } catch (ChannelClosedException closed) {
            if (closed.getCause() != null) throw closed;
            return false;
        } catch (InterruptedException e) {
            Interrupts.restore();
            var cancelled = new CancellationException("interrupted while waiting for a value of " + channel);
            cancelled.initCause(e);
            throw cancelled;
        }
    }

    @Override
    public T next() {
        if (!hasNext()) throw new NoSuchElementException("the channel is closed and has no value left");
        T value = Objects.requireNonNull(next);
        next = null;
        return value;
    }
}
