package dev.coir.net.internal;

import dev.coir.internal.StackRoom;
import dev.coir.internal.wait.Waiter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketTimeoutException;
import java.nio.channels.AsynchronousCloseException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Something that can be tried, and waited for when it is not ready. */
public abstract class Handle extends Gate {
    /*
     * Try, and when the system says that it would block, wait and try again. There is one party at most in each direction
     * (Gate), and one slot for it:
     *
     * slot     to       cause                                         who moves
     * null     READY    an event, or close                            the watcher, the closer; by exchange
     * null     Waiter   would block, and no event since               the party, by CAS
     * Waiter   READY    an event, or close                            the watcher, the closer; they signal the waiter
     * Waiter   null     time-out, interrupt                           the party, by CAS; when that fails it is READY
     * READY    null     the party will try again right away           the party, by CAS
     *
     * H1. No edge is lost. READY is cleared only right before a try. An event that comes after the try began sets it again,
     *     and then the CAS that would install a waiter fails. Who tries need not clear it: if the try would block, the wait
     *     does, and asks for one more. So it is with writes: every event of a socket that is read says that there is room as
     *     well, and a READY that stands costs neither the watcher nor the writer an atomic operation.
     *     Guarded by HandleTest and the contract tests.
     * H2. Who closes sets CLOSED first and READY after; who was woken, or found READY, clears it first and looks at CLOSED
     *     after. So close wakes those inside, and none goes to sleep after it.
     * H3. A handle has one watcher at a time. Whoever moves the field `watcher` by CAS from null adds the handle to it; others
     *     wait as if it had been added already, for adding tells what is ready. When adding fails, everybody is woken and
     *     tries again.
     * H4. A watcher that is closed lets go of its handles and makes them READY: who waits tries, and finds another watcher.
     * H5. A party installs its waiter first and asks the watcher after; who changes the watcher does so first, and the new one
     *     looks for waiters when it adds the handle. So a watcher that must be asked is.
     * H6. An event for a descriptor number that has been closed and is in use again finds another generation, and is dropped.
     *     Were it not, it would only cause a try in vain.
     */
    private static final Object READY = "ready";
    private static final AtomicInteger GENERATIONS = new AtomicInteger();
    private static final VarHandle READER;
    private static final VarHandle WRITER;
    private static final VarHandle WATCHER;

    static {
        try {
            var lookup = MethodHandles.lookup();
            READER = lookup.findVarHandle(Handle.class, "reader", Object.class);
            WRITER = lookup.findVarHandle(Handle.class, "writer", Object.class);
            WATCHER = lookup.findVarHandle(Handle.class, "watcher", Watcher.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final int generation = GENERATIONS.incrementAndGet();
    private volatile @Nullable Object reader; // null, READY or a Waiter
    private volatile @Nullable Object writer; // likewise
    private volatile @Nullable Watcher watcher;

    /** Of whoever opens a socket. */
    Handle() {}

    /** The watcher that the calling party would like best. */
    abstract Watcher preferredWatcher();

    /** The number that the system knows it by; -1 when that is not known. */
    abstract int number();

    /** A short read no longer means that there is nothing left: the end has come, or data out of turn. Any thread. */
    abstract void distrustShortReads();

    // ---- the party --------------------------------------------------------------------------------------------------

    /** Whether an event has come since the last try. */
    final boolean isReady(int direction) {
        return (direction == READ ? reader : writer) == READY;
    }

    /** The party is about to try: what came before needs no second try. */
    final void beginTry(int direction) {
        if (isReady(direction)) casSlot(direction, READY, null);
    }

    /** Each of the two as a constant: through a variable the handles are not compiled into the caller. */
    private boolean casSlot(int direction, @Nullable Object from, @Nullable Object to) {
        return direction == READ ? READER.compareAndSet(this, from, to) : WRITER.compareAndSet(this, from, to);
    }

    private @Nullable Object exchangeSlot(int direction, Object to) {
        return direction == READ ? READER.getAndSet(this, to) : WRITER.getAndSet(this, to);
    }

    /** Those inside must leave when it has been closed. */
    final void ensureStillOpen() throws AsynchronousCloseException {
        if (isClosed()) throw new AsynchronousCloseException();
    }

    /**
     * Waits until it is worth trying again. The party that is inside only, after a try that would have blocked.
     *
     * @param reason what for
     * @param deadline when to give up; an event in vain does not put it off
     * @param timeoutNanos how long that was, to be told
     */
    final void await(int direction, String reason, long deadline, long timeoutNanos) throws IOException {
        Waiter.Outcome how = awaitUntil(direction, reason, deadline);
        if (how == Waiter.Outcome.INTERRUPTED) throw new InterruptedIOException("interrupted while " + reason);
        if (how == Waiter.Outcome.TIMED_OUT) throw timedOut(reason, timeoutNanos);
    }

    static long deadlineIn(long timeoutNanos) {
        return timeoutNanos == 0 ? Long.MAX_VALUE : Waiter.deadlineIn(timeoutNanos);
    }

    static SocketTimeoutException timedOut(String reason, long timeoutNanos) {
        return new SocketTimeoutException(reason + ": timed out after " + Duration.ofNanos(timeoutNanos));
    }

    /** As await. @return SIGNALLED when it is worth trying */
    final Waiter.Outcome awaitUntil(int direction, String reason, long deadline) throws IOException {
        StackRoom.ensureMore(); // for the whole of the wait: its party must not be left half parked
        ensureWatched();
        while (!casSlot(direction, READY, null)) {
            ensureStillOpen(); // after READY was cleared, here or by the caller: H2
            var waiter = new Waiter();
            if (!casSlot(direction, null, waiter)) continue;
            Waiter.Outcome how = null;
            try {
                Watcher now = watcher; // after the waiter can be seen: H5
                if (now != null) now.want(this, direction);
                how = waiter.await(reason, deadline, true);
            } finally { // also when it could not wait: the next one would find neither nobody nor READY, for ever
                if (how != Waiter.Outcome.SIGNALLED) casSlot(direction, waiter, null);
            }
            if (how != Waiter.Outcome.SIGNALLED) return how;
        }
        ensureStillOpen();
        return Waiter.Outcome.SIGNALLED;
    }

    /** Sees that somebody watches this handle: H3. */
    private void ensureWatched() throws IOException {
        while (true) {
            Watcher now = watcher;
            if (now != null && !now.isMakeshift()) return;
            Watcher best = findWatcher();
            if (best == now) return;
            if (!WATCHER.compareAndSet(this, now, best)) continue;
            if (now != null) now.remove(this, false);
            boolean added = false;
            try {
                added = best.add(this);
            } finally {
                if (!added) lostWatcher(best);
            }
            if (added) return;
        }
    }

    private Watcher findWatcher() throws IOException {
        try {
            return preferredWatcher();
        } catch (UncheckedIOException e) { // there may be no descriptors left for a poller
            throw e.getCause();
        }
    }

    /** Whether a party waits in this direction. */
    final boolean isAwaited(int direction) {
        return (direction == READ ? reader : writer) instanceof Waiter;
    }

    // ---- the watcher ------------------------------------------------------------------------------------------------

    /** Something has happened in this direction. Any thread. @return whether a party was woken */
    final boolean ready(int direction) {
        if (isReady(direction)) return false;
        return exchangeSlot(direction, READY) instanceof Waiter waiter && waiter.signal();
    }

    /** The watcher has been closed, or could not add this handle: H4. */
    final void lostWatcher(Watcher gone) {
        WATCHER.compareAndSet(this, gone, (Watcher) null);
        ready(READ);
        ready(WRITE);
    }

    // ---- closing ----------------------------------------------------------------------------------------------------

    @Override
    final void closing() {
        ready(READ);
        ready(WRITE);
    }

    /** Whoever releases it calls this first. */
    final void unwatch() {
        Watcher last = watcher;
        if (last != null) last.remove(this, true);
    }
}
