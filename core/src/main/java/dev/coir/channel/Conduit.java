package dev.coir.channel;

import dev.coir.internal.wait.Waiter;
import java.time.Duration;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The channel: a {@link Core}, and parties that wait at it. */
non-sealed class Conduit<T> implements Channel<T> {
    private static final int LARGEST_WINDOW = 256;

    final Core core;

    Conduit(int capacity) {
        core = new Core(capacity);
    }

    /** A wait of the calling party. Tests have parties of their own. */
    Node newNode(Object caller) {
        return Node.of(caller);
    }

    static long nanos(Duration duration) {
        try {
            return duration.toNanos();
        } catch (ArithmeticException centuries) {
            return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    // ---- sending ---------------------------------------------------------------------------------------------------

    @Override
    public void send(T value) throws InterruptedException {
        Objects.requireNonNull(value, "value");
        sendUntil(value, Long.MAX_VALUE, Interrupts.check());
    }

    @Override
    public boolean trySend(T value) {
        Objects.requireNonNull(value, "value");
        return switch (core.send(value, null)) {
            case SENT -> true;
            case WAIT -> false;
            case CLOSED -> throw core.closedToSenders();
        };
    }

    @Override
    public boolean send(T value, Duration timeout) throws InterruptedException {
        return send(value, nanos(Objects.requireNonNull(timeout, "timeout")));
    }

    final boolean send(T value, long nanos) throws InterruptedException {
        Objects.requireNonNull(value, "value");
        Object caller = Interrupts.check();
        return nanos <= 0 ? trySend(value) : sendUntil(value, Waiter.deadlineIn(nanos), caller);
    }

    /**
     * False when the deadline has passed. A node is made before the guard is taken, if it seems to be needed. Where there is no stack or
     * memory to wait, who was claimed before that has what it waited for. All in one method: what another asks for when it begins
     * must not be missed when the node stands in the queue already.
     */
    final boolean sendUntil(T value, long deadlineNanos, Object caller) throws InterruptedException {
        Node node = core.looksFull() ? sending(value, caller) : null;
        Answer answer = core.send(value, node);
        if (answer == Answer.WAIT && node == null) {
            node = sending(value, caller);
            answer = core.send(value, node);
        }
        if (answer == Answer.SENT) return true;
        if (answer == Answer.CLOSED || node == null) throw core.closedToSenders();
        Waiter.Outcome outcome = Waiter.Outcome.SIGNALLED;
        try {
            outcome = node.await("send to a channel", deadlineNanos, true);
        } catch (VirtualMachineError noWait) {
            if (node.hasGivenUp()) {
                core.forget(core.senders, node);
                throw noWait;
            }
        }
        if (outcome == Waiter.Outcome.SIGNALLED) {
            if (node.item == Answer.CLOSED) throw core.closedToSenders();
            return true;
        }
        core.forget(core.senders, node);
        if (outcome == Waiter.Outcome.INTERRUPTED) throw new InterruptedException();
        return false;
    }

    private Node sending(T value, Object caller) {
        Node node = newNode(caller);
        node.item = value;
        return node;
    }

    // ---- receiving -------------------------------------------------------------------------------------------------

    @Override
    public T receive() throws InterruptedException {
        return Objects.requireNonNull(receiveUntil(Long.MAX_VALUE, Interrupts.check()));
    }

    @Override
    public Optional<T> tryReceive() {
        Object answer = core.receive(null);
        return answer == Answer.WAIT ? Optional.empty() : Optional.of(value(answer));
    }

    @Override
    public Optional<T> receive(Duration timeout) throws InterruptedException {
        return Optional.ofNullable(receive(nanos(Objects.requireNonNull(timeout, "timeout"))));
    }

    final @Nullable T receive(long nanos) throws InterruptedException {
        Object caller = Interrupts.check();
        if (nanos > 0) return receiveUntil(Waiter.deadlineIn(nanos), caller);
        Object answer = core.receive(null);
        return answer == Answer.WAIT ? null : value(answer);
    }

    /** Null when the deadline has passed. Otherwise as {@link #sendUntil}. */
    final @Nullable T receiveUntil(long deadlineNanos, Object caller) throws InterruptedException {
        Node node = core.looksEmpty() ? newNode(caller) : null;
        Object answer = core.receive(node);
        if (answer == Answer.WAIT && node == null) {
            node = newNode(caller);
            answer = core.receive(node);
        }
        if (answer != Answer.WAIT || node == null) return value(answer);
        Waiter.Outcome outcome = Waiter.Outcome.SIGNALLED;
        try {
            outcome = node.await("receive from a channel", deadlineNanos, true);
        } catch (VirtualMachineError noWait) {
            if (node.hasGivenUp()) {
                core.forget(core.receivers, node);
                throw noWait;
            }
        }
        if (outcome == Waiter.Outcome.SIGNALLED) return value(Objects.requireNonNull(node.item));
        core.forget(core.receivers, node);
        if (outcome == Waiter.Outcome.INTERRUPTED) throw new InterruptedException();
        return null;
    }

    @SuppressWarnings("unchecked") // a sender put it there
    private T value(Object answer) {
        if (answer == Answer.CLOSED) throw core.closedToReceivers();
        return (T) answer;
    }

    @Override
    public Iterable<T> untilClosed() {
        return this::iterator;
    }

    private Iterator<T> iterator() {
        return new UntilClosed<>(this);
    }

    // ---- selecting -------------------------------------------------------------------------------------------------

    @Override
    public <R extends @Nullable Object> Clause<R> onSend(T value, Supplier<? extends R> then) {
        return new ChannelClause.OnSend<>(
                core, Objects.requireNonNull(value, "value"), Objects.requireNonNull(then, "then"));
    }

    @Override
    public <R extends @Nullable Object> Clause<R> onReceive(Function<? super T, ? extends R> then) {
        return new ChannelClause.OnReceive<T, R>(core, Objects.requireNonNull(then, "then"), null);
    }

    @Override
    public <R extends @Nullable Object> Clause<R> onReceive(
            Function<? super T, ? extends R> then, Supplier<? extends R> closed) {
        return new ChannelClause.OnReceive<T, R>(
                core, Objects.requireNonNull(then, "then"), Objects.requireNonNull(closed, "closed"));
    }

    // ---- the whole -------------------------------------------------------------------------------------------------

    @Override
    public void close() {
        core.close(null);
    }

    @Override
    public void close(Throwable cause) {
        core.close(Objects.requireNonNull(cause, "cause"));
    }

    @Override
    public boolean isClosed() {
        return core.isClosed();
    }

    @Override
    public BlockingQueue<T> asBlockingQueue() {
        return new QueueView<>(this);
    }

    @Override
    public Flow.Publisher<T> asPublisher() {
        return new ChannelPublisher<>(this);
    }

    @Override
    public Flow.Subscriber<T> asSubscriber() {
        return new ChannelSubscriber<>(this, Math.clamp(core.capacity(), 1, LARGEST_WINDOW));
    }

    @Override
    public String toString() {
        return core.toString();
    }
}
