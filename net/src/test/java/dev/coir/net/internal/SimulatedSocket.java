package dev.coir.net.internal;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A stream socket whose bytes stay in memory. It behaves as Linux does with TCP over the loopback: a connect is under way first
 * and done after, a full backlog leaves it unanswered, a close with something unread or without lingering is a reset, what is
 * written to a closed end is answered by a reset. All under the system's lock.
 */
final class SimulatedSocket {
    static final int ROOM = 64 * 1024; // for what came and has not been read

    private enum Stage {
        NEW,
        LISTENING,
        CONNECTING,
        CONNECTED,
        CLOSED
    }

    final int family;
    int number = -1; // its descriptor, once it has one

    @Nullable
    SocketAddress local;

    @Nullable
    SocketAddress remote;

    private final Map<Long, int[]> options = new HashMap<>();
    private final Set<SimulatedPoller> pollers = new LinkedHashSet<>();
    private Stage stage = Stage.NEW;
    private int error; // told once

    private int backlog;
    private final Deque<SimulatedSocket> toBeAccepted = new ArrayDeque<>();
    private final Deque<SimulatedSocket> unanswered = new ArrayDeque<>(); // the backlog is full
    private @Nullable SimulatedSocket askedListener; // while unanswered

    private @Nullable SimulatedSocket peer;
    private final ByteBuffer inbox = ByteBuffer.allocate(ROOM); // from 0 to its position
    private boolean hasEnded; // the peer sends no more
    private boolean readsNoMore;
    private boolean writesNoMore;
    private boolean wantsRoom; // a write found too little

    SimulatedSocket(int family) {
        this.family = family;
    }

    // ---- readiness --------------------------------------------------------------------------------------------------

    void watchedBy(SimulatedPoller poller) {
        pollers.add(poller);
    }

    private void happened() {
        for (SimulatedPoller each : pollers) each.happened(this);
    }

    /** The events that a poll of this moment would tell. */
    int readiness() {
        int broken = error != 0 ? Linux.EPOLLERR : 0;
        return broken
                | switch (stage) {
                    case NEW, CLOSED -> Linux.EPOLLIN | Linux.EPOLLOUT | Linux.EPOLLHUP | Linux.EPOLLRDHUP;
                    case LISTENING -> toBeAccepted.isEmpty() ? 0 : Linux.EPOLLIN;
                    case CONNECTING -> 0;
                    case CONNECTED -> connectedReadiness();
                };
    }

    private int connectedReadiness() {
        boolean noMore = hasEnded || readsNoMore;
        int mask = noMore ? Linux.EPOLLIN | Linux.EPOLLRDHUP : 0;
        if (inbox.position() != 0) mask |= Linux.EPOLLIN;
        if (writesNoMore || roomAtPeer() != 0) mask |= Linux.EPOLLOUT;
        if (noMore && writesNoMore) mask |= Linux.EPOLLHUP;
        return mask;
    }

    private int roomAtPeer() {
        return peer == null || peer.readsNoMore ? ROOM : peer.inbox.remaining();
    }

    // ---- connecting -------------------------------------------------------------------------------------------------

    boolean isListening() {
        return stage == Stage.LISTENING;
    }

    boolean isConnected() {
        return stage == Stage.CONNECTED;
    }

    int listen(int connections) {
        if (stage != Stage.NEW) return -Errno.EINVAL;
        backlog = connections;
        stage = Stage.LISTENING;
        return 0;
    }

    int connect(@Nullable SimulatedSocket listener) {
        if (stage == Stage.CONNECTING) return -Errno.EALREADY;
        if (stage == Stage.CONNECTED) return -Errno.EISCONN;
        stage = Stage.CONNECTING;
        if (listener == null) fail(Errno.ECONNREFUSED);
        else if (listener.toBeAccepted.size() <= listener.backlog) listener.answer(this);
        else {
            listener.unanswered.add(this);
            askedListener = listener;
        }
        return -Errno.EINPROGRESS;
    }

    private void answer(SimulatedSocket client) {
        var server = new SimulatedSocket(family);
        server.local = client.remote;
        server.remote = client.local;
        server.link(client);
        client.link(server);
        toBeAccepted.add(server);
        client.happened();
        happened();
    }

    private void link(SimulatedSocket other) {
        peer = other;
        stage = Stage.CONNECTED;
    }

    /** The first that has connected. @return null when there is none */
    @Nullable
    SimulatedSocket accept() {
        SimulatedSocket accepted = toBeAccepted.poll();
        SimulatedSocket next = accepted == null ? null : unanswered.poll();
        if (next != null) answer(next);
        return accepted;
    }

    // ---- reading and writing ----------------------------------------------------------------------------------------

    int receive(ByteBuffer into) {
        if (stage == Stage.NEW) return -Errno.ENOTCONN;
        if (inbox.position() == 0) {
            if (error != 0) return -takeError();
            return hasEnded || readsNoMore || stage == Stage.CLOSED ? 0 : -Errno.EAGAIN;
        }
        inbox.flip();
        int count = Math.min(inbox.remaining(), into.remaining());
        into.put(inbox.slice(0, count));
        inbox.position(count).compact();
        SimulatedSocket writer = peer;
        if (writer != null && writer.wantsRoom && inbox.remaining() >= ROOM / 3) {
            writer.wantsRoom = false;
            writer.happened();
        }
        return count;
    }

    int send(ByteBuffer from) {
        if (stage == Stage.NEW) return -Errno.ENOTCONN;
        if (error != 0) return -takeError();
        if (writesNoMore || stage == Stage.CLOSED) return -Errno.EPIPE;
        int count = Math.min(from.remaining(), roomAtPeer());
        wantsRoom = count < from.remaining();
        if (count == 0 && wantsRoom) return -Errno.EAGAIN;
        SimulatedSocket reader = peer;
        if (reader == null) fail(Errno.EPIPE); // a reset is the answer
        else if (!reader.readsNoMore) {
            reader.inbox.put(from.slice(from.position(), count));
            reader.happened();
        }
        return count;
    }

    // ---- its end ----------------------------------------------------------------------------------------------------

    int shutdown(boolean input, boolean output) {
        if (stage == Stage.LISTENING && input) {
            stopListening();
            happened();
            return 0;
        }
        if (stage != Stage.CONNECTED) return -Errno.ENOTCONN;
        readsNoMore |= input;
        if (output && !writesNoMore) {
            writesNoMore = true;
            sendEnd();
        }
        happened();
        return 0;
    }

    void close() {
        SimulatedSocket other = peer;
        if (stage == Stage.LISTENING) stopListening();
        if (askedListener != null) askedListener.unanswered.remove(this);
        if (other != null && (inbox.position() != 0 || lingersNot())) other.fail(Errno.ECONNRESET);
        else if (!writesNoMore) sendEnd();
        if (other != null) other.peer = null;
        peer = null;
        stage = Stage.CLOSED;
        for (SimulatedPoller each : pollers) each.remove(this); // what is on its way stays so
    }

    private boolean lingersNot() {
        int[] linger = option(Linux.SOL_SOCKET, Linux.SO_LINGER);
        return linger.length == 2 && linger[0] != 0 && linger[1] == 0;
    }

    private void sendEnd() {
        SimulatedSocket other = peer;
        if (other == null) return;
        other.hasEnded = true;
        other.happened();
    }

    private void stopListening() {
        stage = Stage.NEW;
        for (SimulatedSocket each : toBeAccepted) if (each.peer != null) each.peer.fail(Errno.ECONNRESET);
        for (SimulatedSocket each : unanswered) each.fail(Errno.ECONNREFUSED);
        toBeAccepted.clear();
        unanswered.clear();
    }

    private void fail(int reason) {
        error = reason;
        stage = Stage.CLOSED;
        peer = null;
        happened();
    }

    // ---- options ----------------------------------------------------------------------------------------------------

    int takeError() {
        int told = error;
        error = 0;
        return told;
    }

    int[] option(int level, int name) {
        return options.getOrDefault((long) level << 32 | name, new int[0]);
    }

    void setOption(int level, int name, int[] value) {
        boolean isBuffer = level == Linux.SOL_SOCKET && (name == Linux.SO_SNDBUF || name == Linux.SO_RCVBUF);
        if (isBuffer) value[0] *= 2; // as Linux does, for its own need
        options.put((long) level << 32 | name, value);
    }
}
