package dev.coir.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.fiber.Fiber;
import dev.coir.sync.Latch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Random;
import java.util.concurrent.Future;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
@ParameterizedClass
@MethodSource("dev.coir.net.Ground#all")
class TlsTest {
    @TempDir
    static Path folder;

    static SSLContext context;

    @Parameter
    Ground.Spec spec;

    private Ground ground;

    @BeforeAll
    static void makeCertificate() throws Exception {
        Path store = folder.resolve("store.p12");
        if (Files.exists(store)) return;
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        var making = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-alias",
                        "test",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        "secret")
                .redirectErrorStream(true)
                .start();
        String output = new String(making.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertEquals(0, making.waitFor(), output);
        var keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(store)) {
            keys.load(in, "secret".toCharArray());
        }
        var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, "secret".toCharArray());
        var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    }

    @BeforeEach
    void open() {
        ground = spec.open();
    }

    @AfterEach
    void close() throws Exception {
        ground.close();
    }

    interface Body<T> {
        T on(TcpStream stream) throws Exception;
    }

    private <S, C> void converse(Body<S> server, Body<C> client, S expectedServer, C expectedClient) throws Exception {
        try (TcpListener listener = TcpListener.bind(new InetSocketAddress("127.0.0.1", 0))) {
            Future<S> serving = ground.go(() -> {
                try (TcpStream stream = listener.accept()) {
                    return server.on(stream);
                }
            });
            Future<C> asking = ground.go(() -> {
                try (TcpStream stream = TcpStream.connect(listener.localAddress())) {
                    return client.on(stream);
                }
            });
            assertEquals(expectedClient, Ground.get(asking));
            assertEquals(expectedServer, Ground.get(serving));
        }
    }

    @Test
    void whatIsSentComesBack() throws Exception {
        converse(
                stream -> {
                    stream.startTls(context);
                    return stream.inputStream().transferTo(stream.outputStream());
                },
                stream -> {
                    stream.startTls(context, "localhost");
                    assertTrue(stream.tlsSession().isPresent());
                    stream.write(StreamGround.bytes("secret"));
                    stream.shutdownOutput();
                    var late = assertThrows(SSLException.class, () -> stream.write(StreamGround.bytes("late")));
                    assertEquals(
                            "writing to " + stream.remoteAddress() + ": this side has ended its output"
                                    + " (shutdownOutput); write before that, or connect again",
                            late.getMessage());
                    return new String(stream.inputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
                },
                6L,
                "secret");
    }

    @Test
    void aMegabyteArrivesThroughRecordsThatAreSplitAnywhere() throws Exception {
        byte[] data = new byte[1 << 20];
        new Random(5).nextBytes(data);
        converse(
                stream -> {
                    stream.startTls(context);
                    stream.write(ByteBuffer.wrap(data));
                    return true;
                },
                stream -> {
                    stream.startTls(context);
                    assertArrayEquals(data, stream.inputStream().readAllBytes());
                    return true;
                },
                true,
                true);
    }

    /** A proxy between the two passes on what comes in pieces of a few bytes, so records and handshake messages are torn. */
    @Test
    void recordsThatComeInPiecesOfAFewBytesAreJoined() throws Exception {
        try (TcpListener listener = TcpListener.bind(new InetSocketAddress("127.0.0.1", 0));
                TcpListener proxy = TcpListener.bind(new InetSocketAddress("127.0.0.1", 0))) {
            Future<Long> serving = ground.go(() -> {
                try (TcpStream stream = listener.accept()) {
                    stream.startTls(context);
                    return stream.inputStream().transferTo(stream.outputStream());
                }
            });
            Future<?> passing = ground.go(() -> {
                try (TcpStream here = proxy.accept().noDelay(true);
                        TcpStream there =
                                TcpStream.connect(listener.localAddress()).noDelay(true)) {
                    Future<?> back = ground.go(() -> passOn(there, here));
                    passOn(here, there);
                    return back.get();
                }
            });
            Future<String> asking = ground.go(() -> {
                try (TcpStream stream = TcpStream.connect(proxy.localAddress())) {
                    stream.startTls(context, true);
                    stream.write(StreamGround.bytes("in pieces"));
                    stream.shutdownOutput();
                    return new String(stream.inputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
                }
            });
            assertEquals("in pieces", Ground.get(asking));
            assertEquals(9L, Ground.get(serving));
            Ground.get(passing);
        }
    }

    private static Object passOn(TcpStream from, TcpStream to) throws IOException {
        ByteBuffer few = ByteBuffer.allocate(7);
        while (from.read(few) >= 0) {
            to.write(few.flip());
            few.clear();
        }
        to.shutdownOutput();
        return true;
    }

    @Test
    void aCertificateForAnotherNameIsRefused() throws Exception {
        converse(
                stream -> {
                    assertThrows(IOException.class, () -> {
                        stream.startTls(context);
                        stream.read(
                                ByteBuffer.allocate(1)); // with TLS 1.3 the server learns it after its own handshake
                    });
                    return true;
                },
                stream -> {
                    assertThrows(SSLException.class, () -> stream.startTls(context, "example.org"));
                    return true;
                },
                true,
                true);
    }

    @Test
    void theEndWithoutAGreetingIsAnErrorAndWithOneIsTheEnd() throws Exception {
        converse(
                stream -> {
                    stream.startTls(context);
                    stream.read(ByteBuffer.allocate(1));
                    return true; // close says the greeting
                },
                stream -> {
                    stream.startTls(context);
                    stream.write(ByteBuffer.allocate(1));
                    assertEquals(-1, stream.read(ByteBuffer.allocate(1)));
                    return true;
                },
                true,
                true);
        SSLEngine[] engine = new SSLEngine[1];
        converse(
                stream -> {
                    stream.startTls(context);
                    stream.read(ByteBuffer.allocate(1));
                    stream.cut();
                    return true;
                },
                stream -> {
                    engine[0] = context.createSSLEngine();
                    engine[0].setUseClientMode(true);
                    stream.startTls(engine[0]);
                    stream.write(ByteBuffer.allocate(1));
                    var cut = assertThrows(SSLException.class, () -> stream.read(ByteBuffer.allocate(1)));
                    assertTrue(cut.getMessage().contains("close_notify"), cut.getMessage());
                    return true;
                },
                true,
                true);
    }

    @Test
    void closeWakesWhoReads() throws Exception {
        var done = new Latch(1);
        converse(
                stream -> {
                    stream.startTls(context);
                    stream.write(ByteBuffer.allocate(1));
                    done.await();
                    return true;
                },
                stream -> {
                    stream.startTls(context);
                    stream.read(ByteBuffer.allocate(1));
                    Future<Integer> reading = ground.go(() -> stream.read(ByteBuffer.allocate(1)));
                    while (!stream.isBusy()) Fiber.yield();
                    stream.close();
                    assertThrows(AsynchronousCloseException.class, () -> Ground.get(reading));
                    done.countDown();
                    return true;
                },
                true,
                true);
    }
}
