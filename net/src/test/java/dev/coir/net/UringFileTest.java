package dev.coir.net;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.net.internal.FakeUring;
import dev.coir.net.internal.Faults;
import dev.coir.net.internal.NativeNet;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files that are read and written by the system's rings: by the real ones, and by one that the test plays, for every fault and
 * every order. Nothing is in memory, as far as reads that do not wait can tell.
 */
@ParameterizedClass
@MethodSource("grounds")
class UringFileTest {
    private static final int EPERM = 1;
    private static final int EINTR = 4;
    private static final int EIO = 5;
    private static final int EBADF = 9;
    private static final int EAGAIN = 11;
    private static final int ENOMEM = 12;
    private static final int EACCES = 13;
    private static final int EBUSY = 16;
    private static final int EINVAL = 22;
    private static final int EMFILE = 24;
    private static final int ENOSPC = 28;
    private static final int ENOSYS = 38;
    private static final int EOPNOTSUPP = 95;
    private static final int ECANCELED = 125;

    /** All but plain threads, which block in the call itself; and few workers, for time's sake. */
    static Stream<Ground.Spec> grounds() {
        return Ground.all().filter(each -> each.who() != Ground.Who.THREADS && each.workers() != 8);
    }

    @TempDir
    Path folder;

    @Parameter
    Ground.Spec spec;

    private final Faults faults = new Faults();
    private final NativeNet net = new NativeNet(faults.sys(), true, "uring");
    private final byte[] data = new byte[100_000];
    private Map<String, String> openBefore;
    private Path path;
    private Ground ground;
    private FakeUring played; // by this test, if any

    private FakeUring fake(int requests, int completions) {
        played = new FakeUring(faults, requests, completions);
        return played;
    }

    @BeforeEach
    void open() throws Exception {
        openBefore = Descriptors.open();
        new Random(7).nextBytes(data);
        path = Files.write(folder.resolve("data"), data);
        faults.always("preadNow", (arguments, call) -> (long) -EAGAIN);
        ground = spec.open();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        if (played != null) played.release(); // those of a test that failed
        ground.close();
        net.close();
        Descriptors.awaitAtMost(openBefore);
    }

    private <T> T inParty(Callable<T> body) throws Exception {
        return Ground.get(ground.go(body));
    }

    private AsyncFile file(OpenOption... options) throws Exception {
        return AsyncFile.open(net, path, options.length == 0 ? new OpenOption[] {READ} : options);
    }

    private byte[] part(int from, int count) {
        return Arrays.copyOfRange(data, from, from + count);
    }

    private static byte[] read(AsyncFile file, int count, long position) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(count);
        int got = file.read(buffer, position);
        return Arrays.copyOf(buffer.array(), Math.max(0, got));
    }

    // ---- the system's own rings -------------------------------------------------------------------------------------

    @Test
    void readsThatWouldWaitAreServedByTheRing() throws Exception {
        try (AsyncFile file = file()) {
            assertArrayEquals(part(5, 4096), inParty(() -> read(file, 4096, 5)));
            ByteBuffer direct = ByteBuffer.allocateDirect(70_000);
            inParty(() -> {
                while (direct.hasRemaining()) file.read(direct, 1000 + direct.position());
                return true;
            });
            byte[] got = new byte[70_000];
            direct.flip().get(got);
            assertArrayEquals(part(1000, 70_000), got);
            assertEquals(-1, inParty(() -> file.read(ByteBuffer.allocate(1), data.length)));
            assertEquals(0, inParty(() -> file.read(ByteBuffer.allocate(0), 0)));
            assertTrue(faults.count("uringEnter") >= 4);
            assertEquals(0, faults.count("pread"));
        }
    }

    @Test
    void whoDemandsRingsWritesAndForcesByThem() throws Exception {
        try (AsyncFile file = file(READ, WRITE)) {
            byte[] more = new byte[150_000];
            new Random(8).nextBytes(more);
            assertEquals(more.length, inParty(() -> file.write(ByteBuffer.wrap(more), 50)));
            inParty(() -> {
                file.force();
                file.force(false);
                return true;
            });
            assertEquals(0, faults.count("pwrite"));
            assertEquals(0, faults.count("fsync"));
            assertArrayEquals(more, Arrays.copyOfRange(Files.readAllBytes(path), 50, 50 + more.length));
        }
        try (var usual = new NativeNet(faults.sys(), true);
                AsyncFile file = AsyncFile.open(usual, path, WRITE)) { // a call is faster
            inParty(() -> {
                file.write(ByteBuffer.allocate(10), 0);
                file.force();
                return true;
            });
            assertEquals(1, faults.count("pwrite"));
            assertEquals(1, faults.count("fsync"));
        }
    }

    @Test
    void manyReadAtATimeAndSomeAreInterrupted() throws Exception {
        try (AsyncFile file = file()) {
            List<Future<Integer>> all = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                int seed = i;
                var mine = new CompletableFuture<Runnable>();
                all.add(ground.go(() -> {
                    mine.complete(Interrupting.me());
                    var random = new Random(seed);
                    int interrupted = 0;
                    for (int k = 0; k < 30; k++) {
                        int from = random.nextInt(data.length - 5000);
                        try {
                            assertArrayEquals(part(from, 5000), read(file, 5000, from));
                        } catch (InterruptedIOException e) {
                            interrupted++;
                        }
                    }
                    return interrupted;
                }));
                if (i % 4 == 0 && spec.who() != Ground.Who.TASKS) mine.get().run();
            }
            for (Future<Integer> each : all) assertTrue(Ground.get(each) <= 1);
        }
    }

    @Test
    void aPipeHasNoPlacesAndItsErrorIsTheSame() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        try (AsyncFile file = AsyncFile.open(net, pipe, READ, WRITE)) {
            var failure = assertThrows(IOException.class, () -> inParty(() -> file.read(ByteBuffer.allocate(1), 0)));
            assertTrue(failure.getMessage().contains(pipe + ": error number 29"), failure.getMessage());
            assertEquals(0, faults.count("uringEnter"));
        }
    }

    // ---- without rings ----------------------------------------------------------------------------------------------

    @Test
    void whereRingsAreForbiddenCallsAreDeclaredBlocking() throws Exception {
        for (int error : new int[] {EPERM, ENOSYS, EACCES, EINVAL}) {
            try (var refused = new NativeNet(faults.sys(), true);
                    AsyncFile file = AsyncFile.open(refused, path, READ)) {
                long before = faults.count("uringSetup");
                faults.fail("uringSetup", error);
                for (int i = 0; i < 3; i++) assertArrayEquals(part(6, 10), inParty(() -> read(file, 10, 6)));
                assertEquals(before + 1, faults.count("uringSetup"), "it is not asked for again");
            }
        }
    }

    @Test
    void aRingThatCannotBeOpenedJustNowIsAskedForAgain() throws Exception {
        try (AsyncFile file = file()) {
            faults.fail("uringSetup", EMFILE, ENOMEM);
            faults.fail("map", ENOMEM);
            faults.next("map", (arguments, call) -> call.call(arguments));
            faults.fail("map", ENOMEM); // of the second part
            for (int i = 0; i < 4; i++) assertArrayEquals(part(9, 10), inParty(() -> read(file, 10, 9)));
            assertEquals(4, faults.count("pread"));
            assertArrayEquals(part(9, 10), inParty(() -> read(file, 10, 9)));
            assertEquals(4, faults.count("pread"));
        }
    }

    @Test
    void whoDemandsRingsLearnsWhyThereAreNone() throws Exception {
        try (var demanding = new NativeNet(faults.sys(), true, "uring")) {
            faults.fail("uringSetup", EPERM);
            var failure = assertThrows(IOException.class, () -> AsyncFile.open(demanding, path, READ));
            assertTrue(failure.getMessage().contains("EPERM"), failure.getMessage());
            assertTrue(failure.getMessage().contains("kernel.io_uring_disabled"), failure.getMessage());
            try (AsyncFile file = AsyncFile.open(demanding, path, READ, WRITE)) {
                inParty(() -> file.write(ByteBuffer.wrap(part(0, 10)), 0));
                assertEquals(0, faults.count("pwrite"));
            }
        }
        try (var none = new NativeNet(faults.sys(), true, "blocking");
                AsyncFile file = AsyncFile.open(none, path, READ)) {
            long before = faults.count("uringSetup");
            assertArrayEquals(part(0, 10), inParty(() -> read(file, 10, 0)));
            assertEquals(before, faults.count("uringSetup"));
        }
        var misspelt =
                assertThrows(IllegalArgumentException.class, () -> new NativeNet(faults.sys(), true, "io_uring"));
        assertTrue(misspelt.getMessage().contains("auto, blocking or uring"), misspelt.getMessage());
    }

    // ---- a ring that the test plays ---------------------------------------------------------------------------------

    @Test
    void shortReadsAndWritesLoseNothing() throws Exception {
        fake(8, 16).shorten(3);
        try (AsyncFile file = file(READ, WRITE)) {
            assertArrayEquals(part(7, 3), inParty(() -> read(file, 10, 7)));
            assertEquals(20, inParty(() -> file.write(ByteBuffer.wrap(part(500, 20)), 40)));
            assertArrayEquals(part(500, 20), Arrays.copyOfRange(Files.readAllBytes(path), 40, 60));
            assertEquals(0, faults.count("pwrite"));
        }
    }

    @Test
    void errorsNameTheFileAndTheRingGoesOn() throws Exception {
        var ring = fake(8, 16);
        try (AsyncFile file = file(READ, WRITE)) {
            for (int error : new int[] {EIO, EBADF, ENOSPC, EPERM, 4711}) {
                ring.outcome(request -> -error);
                for (Callable<?> each : List.<Callable<?>>of(
                        () -> file.read(ByteBuffer.allocate(1), 0), () -> file.write(ByteBuffer.allocate(1), 0), () -> {
                            file.force();
                            return true;
                        })) {
                    var failure = assertThrows(IOException.class, () -> inParty(each));
                    assertTrue(failure.getMessage().contains(path.toString()), failure.getMessage());
                    if (error == ENOSPC)
                        assertTrue(failure.getMessage().contains("no space left"), failure.getMessage());
                }
            }
            ring.outcome(ring::perform);
            assertArrayEquals(part(1, 2), inParty(() -> read(file, 2, 1)));
        }
    }

    @Test
    void whatTheRingCannotDoABlockingCallDoes() throws Exception {
        var ring = fake(8, 16);
        try (AsyncFile file = file(READ, WRITE)) {
            for (int error : new int[] {EAGAIN, EINTR, EINVAL, EOPNOTSUPP, ECANCELED}) {
                ring.outcome(request -> -error);
                assertArrayEquals(part(100, 10), inParty(() -> read(file, 10, 100)));
                assertEquals(10, inParty(() -> file.write(ByteBuffer.wrap(part(100, 10)), 100)));
            }
            assertEquals(5, faults.count("pread"));
            assertEquals(5, faults.count("pwrite"));
        }
    }

    @Test
    void whatTheSystemDoesNotTakeABlockingCallDoes() throws Exception {
        var ring = fake(8, 16);
        try (AsyncFile file = file()) {
            ring.refuse(EINTR, EINTR);
            assertArrayEquals(part(0, 9), inParty(() -> read(file, 9, 0)));
            assertEquals(0, faults.count("pread"), "it is handed over again");
            for (int error : new int[] {EAGAIN, EBUSY, ENOMEM, EBADF}) {
                ring.refuse(error);
                assertArrayEquals(part(0, 9), inParty(() -> read(file, 9, 0)));
            }
            assertEquals(4, faults.count("pread"));
            assertArrayEquals(part(0, 9), inParty(() -> read(file, 9, 0)));
            assertEquals(4, faults.count("pread"));
        }
    }

    @Test
    void noMoreAreUnderWayThanThereArePlacesForResults() throws Exception {
        var ring = fake(4, 2).hold();
        try (AsyncFile file = file()) {
            List<Future<byte[]>> all = new ArrayList<>();
            for (int i = 0; i < 2; i++) all.add(ground.go(() -> read(file, 100, 3)));
            if (spec.who() != Ground.Who.TASKS) ring.awaitHeld(2);
            for (int i = 0; i < 10; i++) all.add(ground.go(() -> read(file, 100, 3)));
            while (faults.count("pread") < 10) Thread.yield();
            ring.release();
            for (Future<byte[]> each : all) assertArrayEquals(part(3, 100), Ground.get(each));
            assertEquals(0, ring.overflows());
            assertEquals(10, faults.count("pread"));
        }
    }

    /** C1 of RingCall: as long as the system has a request, its memory is nobody else's and the file's number stays open. */
    @Test
    void anInterruptedReadWaitsUntilTheSystemIsDoneWithItsMemory() throws Exception {
        var ring = fake(8, 16).hold();
        var mine = new CompletableFuture<Runnable>();
        AsyncFile file = file();
        ByteBuffer untouched = ByteBuffer.allocateDirect(100);
        Future<Integer> reading = ground.go(() -> {
            mine.complete(Interrupting.me());
            return file.read(untouched, 0);
        });
        FakeUring.Request request = ring.awaitHeld(1).get(0);
        assertTrue(request.isRead());
        mine.get().run();
        ring.awaitCancel(request);
        file.close();
        assertFalse(reading.isDone());
        assertTrue(isOpen(path));
        if (spec.workers() != 1 || spec.who() != Ground.Who.TASKS) {
            try (AsyncFile other = file()) {
                Future<byte[]> next = ground.go(() -> read(other, 100, 50));
                FakeUring.Request second = ring.awaitHeld(2).get(1);
                assertNotEquals(request.address(), second.address());
                ring.finish(second, ring.perform(second));
                assertArrayEquals(part(50, 100), Ground.get(next));
            }
        }
        assertFalse(reading.isDone()); // though it has had time to leave
        assertTrue(isOpen(path));
        ring.finish(request, -ECANCELED);
        var failure = assertThrows(InterruptedIOException.class, () -> Ground.get(reading));
        assertTrue(failure.getMessage().contains(path.toString()), failure.getMessage());
        assertEquals(0, untouched.position());
        while (isOpen(path)) Thread.yield(); // by the last who left
    }

    @Test
    void anInterruptedWriteTellsWhatWasWritten() throws Exception {
        var ring = fake(8, 16).hold();
        var mine = new CompletableFuture<Runnable>();
        try (AsyncFile file = file(WRITE)) {
            ByteBuffer from = ByteBuffer.wrap(part(0, 100));
            Future<Integer> writing = ground.go(() -> {
                mine.complete(Interrupting.me());
                return file.write(from, 0);
            });
            FakeUring.Request first = ring.awaitHeld(1).get(0);
            ring.finish(first, 30);
            FakeUring.Request second = ring.awaitHeld(1).get(0);
            assertEquals(30, second.position());
            mine.get().run();
            ring.awaitCancel(second);
            ring.finish(second, 20);
            var failure = assertThrows(InterruptedIOException.class, () -> Ground.get(writing));
            assertEquals(50, failure.bytesTransferred);
            assertEquals(50, from.position());
            ring.release();
            assertEquals(50, inParty(() -> file.write(from, 50)));
        }
    }

    @Test
    void whoIsInterruptedBeforePutsNothingUp() throws Exception {
        var ring = fake(8, 16);
        try (AsyncFile file = file()) {
            Future<byte[]> reading = ground.go(() -> {
                Interrupting.me().run();
                return read(file, 1, 0);
            });
            assertThrows(InterruptedIOException.class, () -> Ground.get(reading));
            assertEquals(List.of(), ring.seen());
        }
    }

    @Test
    void closeLetsAReadThatIsUnderWayEnd() throws Exception {
        var ring = fake(8, 16).hold();
        AsyncFile file = file();
        Future<byte[]> reading = ground.go(() -> read(file, 100, 10));
        FakeUring.Request request = ring.awaitHeld(1).get(0);
        file.close();
        assertTrue(isOpen(path));
        assertFalse(reading.isDone());
        ring.finish(request, ring.perform(request));
        assertArrayEquals(part(10, 100), Ground.get(reading));
        while (isOpen(path)) Thread.yield();
    }

    private static boolean isOpen(Path path) throws IOException {
        return Descriptors.isOpen(path);
    }
}
