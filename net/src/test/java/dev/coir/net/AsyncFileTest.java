package dev.coir.net;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.fiber.Fiber;
import dev.coir.net.internal.Faults;
import dev.coir.net.internal.NativeNet;
import dev.coir.net.internal.Net;
import dev.coir.net.internal.NioNet;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
@ParameterizedClass
@MethodSource("dev.coir.net.Ground#all")
class AsyncFileTest {
    private static final List<Net> NETS = List.of(Net.standard(), new NioNet());

    @TempDir
    Path folder;

    @Parameter
    Ground.Spec spec;

    private Ground ground;

    @BeforeEach
    void open() {
        ground = spec.open();
    }

    @AfterEach
    void close() throws Exception {
        ground.close();
    }

    @Test
    void whatIsWrittenAtAPlaceIsReadFromThere() throws Exception {
        for (Net net : NETS) {
            Path path = folder.resolve("file-" + NETS.indexOf(net));
            byte[] data = new byte[200_000];
            new Random(1).nextBytes(data);
            Future<byte[]> both = ground.go(() -> {
                try (AsyncFile file = AsyncFile.open(net, path, CREATE, READ, WRITE)) {
                    assertEquals(data.length, file.write(ByteBuffer.wrap(data), 10));
                    file.force();
                    assertEquals(data.length + 10, file.size());
                    ByteBuffer heap = ByteBuffer.allocate(data.length / 2);
                    while (heap.hasRemaining()) file.read(heap, 10 + heap.position());
                    ByteBuffer direct = ByteBuffer.allocateDirect(data.length / 2);
                    while (direct.hasRemaining()) file.read(direct, 10 + data.length / 2 + direct.position());
                    assertEquals(-1, file.read(ByteBuffer.allocate(1), data.length + 10));
                    file.truncate(5);
                    assertEquals(5, file.size());
                    byte[] all = Arrays.copyOf(heap.array(), data.length);
                    direct.flip().get(all, data.length / 2, data.length / 2);
                    return all;
                }
            });
            assertArrayEquals(data, Ground.get(both));
        }
    }

    @Test
    void missingAndExistingFilesAreNamed() throws Exception {
        for (Net net : NETS) {
            Path path = Files.createTempFile(folder, "there", "");
            Future<?> opening = ground.go(() -> {
                assertThrows(NoSuchFileException.class, () -> AsyncFile.open(net, folder.resolve("missing"), READ));
                assertThrows(FileAlreadyExistsException.class, () -> AsyncFile.open(net, path, CREATE_NEW, WRITE));
                return true;
            });
            Ground.get(opening);
        }
    }

    @Test
    void whatAFileWasNotOpenedForIsRefusedWithThePathAndTheCure() throws Exception {
        Path path = Files.write(folder.resolve("data"), new byte[] {1, 2, 3});
        for (Net net : NETS) {
            Future<?> trying = ground.go(() -> {
                try (AsyncFile file = AsyncFile.open(net, path)) {
                    String cure = ": opened with no options, for reading (expected: with StandardOpenOption.WRITE)";
                    refused(NonWritableChannelException.class, "writing to " + path + cure, () -> {
                        file.write(ByteBuffer.allocate(1), 0);
                    });
                    refused(NonWritableChannelException.class, "changing the length of " + path + cure, () -> {
                        file.truncate(0);
                    });
                    assertEquals(3, file.read(ByteBuffer.allocate(9), 0), "it is still usable");
                }
                try (AsyncFile file = AsyncFile.open(net, path, READ)) {
                    String text =
                            "writing to " + path + ": opened with [READ] (expected: with StandardOpenOption.WRITE)";
                    refused(NonWritableChannelException.class, text, () -> file.write(ByteBuffer.allocate(1), 0));
                }
                try (AsyncFile file = AsyncFile.open(net, path, WRITE);
                        TcpListener listener = TcpListener.builder(net).bind(new InetSocketAddress("127.0.0.1", 0));
                        TcpStream stream = TcpStream.connect(net, listener.localAddress(), Duration.ofSeconds(5))) {
                    String cure = path + ": opened with [WRITE] (expected: with StandardOpenOption.READ as well)";
                    refused(NonReadableChannelException.class, "reading from " + cure, () -> {
                        file.read(ByteBuffer.allocate(1), 0);
                    });
                    refused(NonReadableChannelException.class, "sending " + cure, () -> file.transferTo(0, 1, stream));
                    assertEquals(1, file.write(ByteBuffer.wrap(new byte[] {4}), 0), "it is still usable");
                    file.close();
                    assertThrows(ClosedChannelException.class, () -> file.read(ByteBuffer.allocate(1), 0));
                }
                return true;
            });
            Ground.get(trying);
        }
    }

    @Test
    void aDirectoryIsNotReadAndTheTextSaysWhatItIs() throws Exception {
        for (Net net : NETS) {
            Future<?> trying = ground.go(() -> {
                String cure = folder + ": it is a directory; open a file in it, or list it with Files.list";
                try (AsyncFile file = AsyncFile.open(net, folder, READ, READ);
                        TcpListener listener = TcpListener.builder(net).bind(new InetSocketAddress("127.0.0.1", 0));
                        TcpStream stream = TcpStream.connect(net, listener.localAddress(), Duration.ofSeconds(5))) {
                    refused(IOException.class, "reading from " + cure, () -> file.transferTo(0, 1, stream));
                    refused(IOException.class, "reading from " + cure, () -> file.read(ByteBuffer.allocate(1), 0));
                    refused(IOException.class, "reading from " + cure, () -> {
                        file.read(ByteBuffer.allocateDirect(1), 0);
                    });
                }
                refused(IOException.class, "opening " + cure, () -> AsyncFile.open(net, folder, WRITE));
                assertThrows(FileAlreadyExistsException.class, () -> AsyncFile.open(net, folder, CREATE_NEW, WRITE));
                return true;
            });
            Ground.get(trying);
        }
    }

    private static void refused(Class<? extends Exception> kind, String text, Executable call) {
        assertEquals(text, assertThrows(kind, call).getMessage());
    }

    @Test
    void aClosedFileIsReadNoMore() throws Exception {
        for (Net net : NETS) {
            AsyncFile file = AsyncFile.open(net, Files.createTempFile(folder, "there", ""), READ);
            file.close();
            Future<Integer> reading = ground.go(() -> file.read(ByteBuffer.allocate(1), 0));
            assertThrows(ClosedChannelException.class, () -> Ground.get(reading));
        }
    }

    @Test
    void aFileIsSentOverAStream() throws Exception {
        byte[] data = new byte[3_000_000];
        new Random(2).nextBytes(data);
        Path path = Files.write(folder.resolve("data"), data);
        for (Net net : NETS) {
            try (TcpListener listener = TcpListener.builder(net).bind(new InetSocketAddress("127.0.0.1", 0));
                    AsyncFile file = AsyncFile.open(net, path, READ)) {
                Future<Long> sending = ground.go(() -> {
                    try (TcpStream stream = listener.accept()) {
                        return file.transferTo(7, 5_000_000, stream);
                    }
                });
                Future<byte[]> receiving = ground.go(() -> {
                    try (TcpStream stream = TcpStream.connect(net, listener.localAddress(), Duration.ofSeconds(5))) {
                        return stream.inputStream().readAllBytes();
                    }
                });
                assertArrayEquals(Arrays.copyOfRange(data, 7, data.length), Ground.get(receiving));
                assertEquals(data.length - 7, Ground.get(sending));
            }
        }
    }

    /** Where another thread makes the call, it goes on when the fiber is interrupted: with a number that means this file. */
    @Test
    void anInterruptedCallOfAnotherThreadHarmsNobody() throws Exception {
        if (spec.who() != Ground.Who.FIBERS_ON_A_POOL) return;
        var faults = new Faults();
        byte[] data = {1, 2, 3};
        Path path = Files.write(folder.resolve("data"), data);
        for (String name : List.of("pread", "pwrite")) {
            var inside = new CountDownLatch(1);
            var mayGoOn = new CountDownLatch(1);
            var ended = new CountDownLatch(1);
            faults.always("preadNow", (arguments, call) -> -11L);
            faults.next(name, (arguments, call) -> {
                inside.countDown();
                while (mayGoOn.getCount() != 0) Thread.onSpinWait(); // as the system, which hears no interrupt
                try {
                    return call.call(arguments);
                } finally {
                    ended.countDown();
                }
            });
            try (var net = new NativeNet(faults.sys(), true, "blocking")) {
                AsyncFile file = AsyncFile.open(net, path, READ, WRITE);
                ByteBuffer buffer = ByteBuffer.allocateDirect(3);
                Future<Integer> calling =
                        ground.go(() -> name.equals("pread") ? file.read(buffer, 0) : file.write(buffer, 0));
                inside.await();
                buffer.put(0, (byte) 9); // no matter for the call: it is its caller's again when that is interrupted
                assertTrue(calling.cancel(true));
                while (((Fiber<?>) calling).status() != Fiber.Status.DONE) Thread.yield();
                file.close();
                assertTrue(Descriptors.isOpen(path), "the number is another file's while a call has it");
                mayGoOn.countDown();
                ended.await();
                while (Descriptors.isOpen(path)) Thread.yield();
                assertEquals(9, buffer.get(0));
                assertEquals(0, buffer.position());
                assertArrayEquals(name.equals("pread") ? data : new byte[3], Files.readAllBytes(path));
            }
        }
    }
}
