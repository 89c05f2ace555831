package dev.coir.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.net.internal.Net;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;

/** What datagram sockets promise, whoever calls, whatever watches. */
@Timeout(60)
abstract class UdpContract {
    @Parameter
    Ground.Spec spec;

    private Ground ground;
    private Map<String, String> openBefore;

    abstract Net net();

    @BeforeEach
    void open() throws Exception {
        try (UdpSocket socket =
                bind("127.0.0.1").receiveTimeout(Duration.ofMillis(1))) { // starts the watcher that stays
            assertThrows(SocketTimeoutException.class, () -> socket.receive(ByteBuffer.allocate(1)));
        }
        openBefore = Descriptors.open();
        ground = spec.open();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        ground.close();
        Descriptors.awaitAtMost(openBefore);
    }

    private UdpSocket bind(String host) throws IOException {
        return UdpSocket.bind(net(), new InetSocketAddress(host, 0));
    }

    @Test
    void whatIsSentOverIpv4IsReceived() throws Exception {
        assertAnswers("127.0.0.1");
    }

    @Test
    void whatIsSentOverIpv6IsReceived() throws Exception {
        assertAnswers("::1");
    }

    private void assertAnswers(String host) throws Exception {
        try (UdpSocket one = bind(host);
                UdpSocket two = bind(host)) {
            Future<SocketAddress> answering = ground.go(() -> {
                ByteBuffer buffer = ByteBuffer.allocateDirect(100);
                SocketAddress from = two.receive(buffer);
                two.send(buffer.flip(), from);
                return from;
            });
            Future<Integer> asking = ground.go(() -> {
                one.send(ByteBuffer.wrap(new byte[] {1, 2, 42}), two.localAddress());
                ByteBuffer buffer = ByteBuffer.allocate(100);
                assertEquals(two.localAddress(), one.receive(buffer));
                assertEquals(3, buffer.position());
                return (int) buffer.get(2);
            });
            assertEquals(42, Ground.get(asking));
            assertEquals(one.localAddress(), Ground.get(answering));
        }
    }

    @Test
    void aSocketAtEveryAddressHearsBothFamilies() throws Exception {
        try (UdpSocket all = UdpSocket.bind(net(), new InetSocketAddress(0))) {
            int port = ((InetSocketAddress) all.localAddress()).getPort();
            for (String host : new String[] {"127.0.0.1", "::1"}) {
                try (UdpSocket one = bind(host)) {
                    one.send(ByteBuffer.wrap(new byte[1]), new InetSocketAddress(host, port));
                    Future<SocketAddress> from = ground.go(() -> all.receive(ByteBuffer.allocate(1)));
                    assertEquals(one.localAddress(), Ground.get(from));
                }
            }
        }
    }

    @Test
    void whatDoesNotFitIsLostAndTheNextDatagramIsWhole() throws Exception {
        try (UdpSocket one = bind("127.0.0.1");
                UdpSocket two = bind("127.0.0.1")) {
            one.send(ByteBuffer.wrap(new byte[] {1, 2, 3}), two.localAddress());
            one.send(ByteBuffer.wrap(new byte[] {4}), two.localAddress());
            ByteBuffer buffer = ByteBuffer.allocate(2);
            two.receive(buffer);
            assertEquals(2, buffer.position());
            two.receive(buffer.clear());
            assertEquals(1, buffer.position());
            assertEquals(4, buffer.get(0));
        }
    }

    @Test
    void anEmptyDatagramArrives() throws Exception {
        try (UdpSocket one = bind("127.0.0.1");
                UdpSocket two = bind("127.0.0.1")) {
            Future<SocketAddress> from = ground.go(() -> two.receive(ByteBuffer.allocate(1)));
            assertEquals(0, one.send(ByteBuffer.allocate(0), two.localAddress()));
            assertEquals(one.localAddress(), Ground.get(from));
        }
    }

    @Test
    void aDatagramThatIsTooLongIsRefusedWithItsSize() throws Exception {
        try (UdpSocket one = bind("127.0.0.1")) {
            var refused = assertThrows(
                    SocketException.class, () -> one.send(ByteBuffer.allocate(70_000), one.localAddress()));
            assertTrue(refused.getMessage().contains("70000"), refused.getMessage());
        }
    }

    @Test
    void receiveTimesOutAndIsInterruptedAndTheSocketStaysUsable() throws Exception {
        try (UdpSocket one = bind("127.0.0.1");
                UdpSocket two = bind("127.0.0.1").receiveTimeout(Duration.ofMillis(10))) {
            var self = new AtomicReference<Runnable>();
            Future<SocketAddress> receiving = ground.go(() -> {
                assertThrows(SocketTimeoutException.class, () -> two.receive(ByteBuffer.allocate(1)));
                two.receiveTimeout(Duration.ZERO);
                self.set(Interrupting.me());
                assertThrows(InterruptedIOException.class, () -> two.receive(ByteBuffer.allocate(1)));
                one.send(ByteBuffer.allocate(1), two.localAddress());
                return two.receive(ByteBuffer.allocate(1));
            });
            while (self.get() == null) Thread.yield();
            self.get().run();
            assertEquals(one.localAddress(), Ground.get(receiving));
        }
    }

    @Test
    void closeWakesWhoReceives() throws Exception {
        try (UdpSocket socket = bind("127.0.0.1")) {
            Future<SocketAddress> receiving = ground.go(() -> socket.receive(ByteBuffer.allocate(1)));
            while (!socket.isBusy()) Thread.yield();
            socket.close();
            assertThrows(AsynchronousCloseException.class, () -> Ground.get(receiving));
        }
    }
}
