package dev.coir.net.internal;

import static dev.coir.net.internal.Gate.READ;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.coir.net.internal.Stepped.Who;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;

/** A connection of the simulated system, one side of which is the test's own, and whoever reads from the other. */
@Timeout(60)
abstract class SimulatedConnection {
    static final long SHORT_NANOS = 2_000_000;

    @Parameter
    Who who;

    final SimulatedSys sys = SimulatedSys.byHand();
    final NativeNet net = new NativeNet(sys, true);
    SocketHandle listener;
    SocketAddress address;
    int peer; // the other side, whom nobody watches
    SocketHandle socket;

    @BeforeEach
    void connect() throws Exception {
        SocketAddress any = new InetSocketAddress("127.0.0.1", 0);
        listener = net.openStream(any, true);
        listener.bind(any);
        listener.listen(10);
        address = listener.localAddress();
        peer = sys.connectTo(address);
        socket = listener.accept(0);
    }

    @AfterEach
    void nothingIsLeft() {
        socket.closeNow();
        listener.closeNow();
        sys.close(peer);
        net.close();
        assertEquals(0, sys.open(), "descriptors that are left open");
    }

    static String read(SocketHandle from, long timeoutNanos) throws Exception {
        ByteBuffer buffer = ByteBuffer.allocate(100);
        if (from.read(buffer, timeoutNanos) < 0) return "the end";
        return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
    }

    /** Somebody who reads, waits, and can be told by events alone: those of the registration have arrived. */
    Stepped<String> reading(long timeoutNanos) {
        var reader = Stepped.start(who, () -> read(socket, timeoutNanos)).runUntilItAwaits(socket, READ);
        sys.deliverAll();
        return reader.runUntilItAwaits(socket, READ);
    }

    /** Something comes, and its event arrives. */
    void tellAtOnce() {
        sys.send(peer, "x");
        sys.deliverAll();
    }
}
