package dev.coir.net.internal;

import dev.coir.internal.Pins;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;

/** Watches channels through a selector of the JDK: it tells what it is asked for, once. */
public final class SelectorPoller implements Watcher {
    /*
     * S1. Wake-ups as in EpollPoller: the waker sets `woken` first and looks at `sleeping` after, who polls the other way round.
     * S2. A wish is added to the key first, and the selector woken after if somebody sleeps in it: a selector learns of wishes
     *     when it begins to select.
     * S4. The JDK's selectors and channels have monitors that carriers enter when they select. A virtual thread on one of our
     *     carriers stays mounted while it enters them: as the next in line it would have to be run by those behind it.
     * S3. A wish ends when it is fulfilled. So a direction nobody waits for causes no events.
     */
    private final Selector selector;
    private final boolean makeshift;
    private volatile boolean sleeping; // written by who polls
    private volatile boolean woken; // set by wakers, cleared by who polls

    private SelectorPoller(Selector selector, boolean makeshift) {
        this.selector = selector;
        this.makeshift = makeshift;
    }

    /**
     * A new poller.
     *
     * @param makeshift whether it will have a thread of its own
     * @return the poller
     * @throws UncheckedIOException when the system refuses
     */
    public static SelectorPoller open(boolean makeshift) {
        try {
            return new SelectorPoller(Selector.open(), makeshift);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public int poll(long nanos) {
        try {
            if (nanos == 0) return selector.selectNow(SelectorPoller::deliver);
            sleeping = true;
            try {
                if (woken) return selector.selectNow(SelectorPoller::deliver); // after sleeping: S1
                return selector.select(SelectorPoller::deliver, millis(nanos));
            } finally {
                sleeping = false;
                woken = false;
            }
        } catch (ClosedSelectorException closed) {
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long millis(long nanos) {
        return nanos == Long.MAX_VALUE ? 0 : Math.max(1, nanos / 1_000_000 + (nanos % 1_000_000 == 0 ? 0 : 1));
    }

    private static void deliver(SelectionKey key) {
        int ready;
        try {
            ready = key.readyOps();
            key.interestOpsAnd(~ready); // S3
        } catch (CancelledKeyException closed) {
            return;
        }
        Handle handle = (Handle) key.attachment();
        if ((ready & (SelectionKey.OP_READ | SelectionKey.OP_ACCEPT)) != 0) handle.ready(Gate.READ);
        if ((ready & (SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT)) != 0) handle.ready(Gate.WRITE);
    }

    @Override
    public void wakeUp() {
        woken = true;
        if (sleeping) Pins.staying(selector::wakeup); // S4
    }

    @Override
    public boolean isWatching() {
        return selector.isOpen() && !selector.keys().isEmpty();
    }

    @Override
    public boolean isMakeshift() {
        return makeshift;
    }

    @Override
    public boolean isClosed() {
        return !selector.isOpen();
    }

    @Override
    public boolean add(Handle handle) throws IOException {
        boolean[] added = new boolean[1];
        try {
            Pins.staying(() -> added[0] = addPinned(handle)); // S4
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return added[0];
    }

    private boolean addPinned(Handle handle) {
        try {
            return tryAdd(handle);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean tryAdd(Handle handle) throws IOException {
        try {
            channelOf(handle).register(selector, 0, handle);
        } catch (ClosedSelectorException closed) {
            return false;
        } catch (ClosedChannelException closed) {
            return true; // who waits for it has been told, or finds out now
        } catch (CancelledKeyException earlier) { // it was here before, and the selector has not noticed yet
            selector.wakeup();
            selector.selectNow(SelectorPoller::deliver);
            return tryAdd(handle);
        }
        if (handle.isAwaited(Gate.READ)) want(handle, Gate.READ); // H5 of Handle
        if (handle.isAwaited(Gate.WRITE)) want(handle, Gate.WRITE);
        return !isClosed(); // else nobody will tell it
    }

    @Override
    public void want(Handle handle, int direction) {
        Pins.staying(() -> wantPinned(handle, direction)); // S4
    }

    private void wantPinned(Handle handle, int direction) {
        SelectionKey key = channelOf(handle).keyFor(selector);
        if (key == null) return; // it is being added, or has been taken out
        try {
            key.interestOpsOr(((NioSocket) handle).operations(direction));
        } catch (CancelledKeyException closed) {
            return;
        }
        if (sleeping) selector.wakeup(); // S2
    }

    @Override
    public void remove(Handle handle, boolean closing) {
        Pins.staying(() -> removePinned(handle)); // S4
    }

    private void removePinned(Handle handle) {
        SelectionKey key = channelOf(handle).keyFor(selector);
        if (key == null) return;
        key.cancel();
        if (sleeping) selector.wakeup(); // it gives the channel up when it selects
    }

    private static SelectableChannel channelOf(Handle handle) {
        return ((NioSocket) handle).channel();
    }

    @Override
    public void close() {
        List<Handle> all = new ArrayList<>();
        try {
            for (SelectionKey key : selector.keys()) all.add((Handle) key.attachment());
            selector.close();
        } catch (ClosedSelectorException before) {
            return;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (Handle each : all) each.lostWatcher(this);
    }

    @Override
    public String toString() {
        return "SelectorPoller[" + (isClosed() ? "closed" : selector.keys().size() + " watched") + "]";
    }
}
