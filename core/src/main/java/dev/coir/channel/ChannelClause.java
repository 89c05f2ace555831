package dev.coir.channel;

import dev.coir.internal.wait.WaitQueue;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Happens at a channel. What is called {@code …Locked} is for who holds the channel's guard. */
abstract sealed class ChannelClause<R extends @Nullable Object> implements Clause<R> {
    final Core core;

    ChannelClause(Core core) {
        this.core = core;
    }

    /** Whether it seems to be ready. A guess, without the guard. */
    abstract boolean looksReady();

    /** Happens, if it can: gives what {@link #finish} wants, or {@link Answer#WAIT}. */
    abstract Object attemptLocked();

    /** What a node in the queue starts with. */
    abstract @Nullable Object firstItem();

    abstract WaitQueue<Node> queue();

    /** What remains to be done when it has happened, by the one who selects. */
    abstract R finish(@Nullable Object item);

    /** Receives. */
    static final class OnReceive<T, R extends @Nullable Object> extends ChannelClause<R> {
        private final Function<? super T, ? extends R> then;
        private final @Nullable Supplier<? extends R> closed;

        OnReceive(Core core, Function<? super T, ? extends R> then, @Nullable Supplier<? extends R> closed) {
            super(core);
            this.then = then;
            this.closed = closed;
        }

        @Override
        boolean looksReady() {
            return !core.looksEmpty();
        }

        @Override
        Object attemptLocked() {
            return core.receiveLocked();
        }

        @Override
        @Nullable
        Object firstItem() {
            return null;
        }

        @Override
        WaitQueue<Node> queue() {
            return core.receivers;
        }

        @Override
        @SuppressWarnings({"unchecked", "NullAway"}) // a sender put it there
        R finish(@Nullable Object item) {
            if (item != Answer.CLOSED) return then.apply((T) item);
            if (closed != null) return closed.get();
            throw core.closedToReceivers();
        }
    }

    /** Sends. */
    static final class OnSend<R extends @Nullable Object> extends ChannelClause<R> {
        private final Object value;
        private final Supplier<? extends R> then;

        OnSend(Core core, Object value, Supplier<? extends R> then) {
            super(core);
            this.value = value;
            this.then = then;
        }

        @Override
        boolean looksReady() {
            return !core.looksFull();
        }

        @Override
        Object attemptLocked() {
            return core.sendLocked(value);
        }

        @Override
        Object firstItem() {
            return value;
        }

        @Override
        WaitQueue<Node> queue() {
            return core.senders;
        }

        @Override
        R finish(@Nullable Object item) {
            if (item == Answer.CLOSED) throw core.closedToSenders();
            return then.get();
        }
    }
}
