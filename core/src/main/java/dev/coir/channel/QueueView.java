package dev.coir.channel;

import java.util.AbstractQueue;
import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A channel seen as a queue. What closing means here is said at {@link Channel#asBlockingQueue}. */
final class QueueView<T> extends AbstractQueue<T> implements BlockingQueue<T> {
    private final Conduit<T> channel;
    private final Core core;

    QueueView(Conduit<T> channel) {
        this.channel = channel;
        this.core = channel.core;
    }

    // ---- adding ----------------------------------------------------------------------------------------------------

    @Override
    public boolean offer(T value) {
        return channel.trySend(value);
    }

    @Override
    public void put(T value) throws InterruptedException {
        channel.send(value);
    }

    @Override
    public boolean offer(T value, long timeout, TimeUnit unit) throws InterruptedException {
        return channel.send(value, Objects.requireNonNull(unit, "unit").toNanos(timeout));
    }

    // ---- removing --------------------------------------------------------------------------------------------------

    @Override
    public T take() throws InterruptedException {
        return channel.receive();
    }

    @Override
    @SuppressWarnings("unchecked") // a sender put it there
    public @Nullable T poll() {
        Object answer = core.receive(null);
        return answer instanceof Answer ? null : (T) answer;
    }

    @Override
    public @Nullable T poll(long timeout, TimeUnit unit) throws InterruptedException {
        try {
            return channel.receive(Objects.requireNonNull(unit, "unit").toNanos(timeout));
        } catch (ChannelClosedException closed) {
            return null;
        }
    }

    @Override
    @SuppressWarnings("unchecked") // a sender put it there
    public @Nullable T peek() {
        return (T) core.peek();
    }

    @Override
    public int drainTo(Collection<? super T> to) {
        return drainTo(to, Integer.MAX_VALUE);
    }

    @Override
    public int drainTo(Collection<? super T> to, int maxElements) {
        Objects.requireNonNull(to, "to");
        if (to instanceof QueueView<?> view && view.core == core)
            throw new IllegalArgumentException("drainTo: a queue cannot be drained to itself");
        int limit = core.capacity() == 0 ? maxElements : Math.min(maxElements, size()); // others may go on adding
        int moved = 0;
        while (moved < limit) {
            T value = poll();
            if (value == null) break;
            to.add(value);
            moved++;
        }
        return moved;
    }

    @Override
    public void clear() {
        for (int left = size(); left > 0 && poll() != null; left--) {}
    }

    /** Compares outside the guard, for {@code equals} is not ours. */
    @Override
    public boolean remove(@Nullable Object wanted) {
        if (wanted == null) return false;
        Core.Contents contents = core.contents();
        Object[] values = contents.values();
        for (int i = 0; i < values.length; i++) {
            if (wanted.equals(values[i]) && core.remove(values[i], contents.first() + i)) return true;
        }
        return false;
    }

    // ---- looking ---------------------------------------------------------------------------------------------------

    @Override
    public int size() {
        return core.size();
    }

    @Override
    public int remainingCapacity() {
        return core.capacity() == Integer.MAX_VALUE ? Integer.MAX_VALUE : core.capacity() - size();
    }

    @Override
    public boolean contains(@Nullable Object wanted) {
        if (wanted == null) return false;
        for (Object each : core.toArray()) {
            if (wanted.equals(each)) return true;
        }
        return false;
    }

    @Override
    public Object[] toArray() {
        return core.toArray();
    }

    @Override
    public Iterator<T> iterator() {
        return new Snapshot();
    }

    @Override
    public Spliterator<T> spliterator() {
        return Spliterators.spliterator(
                core.toArray(), Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.IMMUTABLE);
    }

    /** The values of one moment. */
    private final class Snapshot implements Iterator<T> {
        private final Object[] values;
        private long first; // the number of the first value, less by one for each that was removed here
        private int next;
        private boolean removable;

        Snapshot() {
            Core.Contents contents = core.contents();
            values = contents.values();
            first = contents.first();
        }

        @Override
        public boolean hasNext() {
            return next < values.length;
        }

        @Override
        @SuppressWarnings("unchecked") // a sender put it there
        public T next() {
            if (!hasNext()) throw new NoSuchElementException();
            removable = true;
            return (T) values[next++];
        }

        @Override
        public void remove() {
            if (!removable) throw new IllegalStateException("remove comes once after next");
            removable = false;
            if (core.remove(values[next - 1], first + next - 1)) first--;
        }
    }
}
