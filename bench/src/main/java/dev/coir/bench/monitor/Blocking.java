package dev.coir.bench.monitor;

import dev.coir.fiber.Fiber;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Four ways to block a thread for one second, each ready for four fibers. */
final class Blocking {
    private static final long SECOND_MILLIS = 1_000;

    @SuppressWarnings("restricted")
    private static final MethodHandle NANOSLEEP = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("nanosleep"),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));

    private Blocking() {}

    /** One body for each of the four fibers. */
    static List<Callable<@Nullable Object>> bodies(Case of) throws IOException, InterruptedException {
        return switch (of) {
            case NATIVE_SLEEP, NATIVE_SLEEP_LIGHT ->
                List.of(Blocking::nanosleep, Blocking::nanosleep, Blocking::nanosleep, Blocking::nanosleep);
            case DECLARED, DECLARED_LIGHT ->
                List.of(
                        () -> Fiber.blocking(Blocking::nanosleep),
                        () -> Fiber.blocking(Blocking::nanosleep),
                        () -> Fiber.blocking(Blocking::nanosleep),
                        () -> Fiber.blocking(Blocking::nanosleep));
            case INITIALISER, INITIALISER_LIGHT ->
                List.of(() -> First.SLEPT, () -> Second.SLEPT, () -> Third.SLEPT, () -> Fourth.SLEPT);
            case FIFO, FIFO_LIGHT -> readers();
            default -> throw new IllegalArgumentException(of + " (expected: a case that blocks)");
        };
    }

    private static Object nanosleep() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocate(ValueLayout.JAVA_LONG, 2);
            time.setAtIndex(ValueLayout.JAVA_LONG, 0, TimeUnit.MILLISECONDS.toSeconds(SECOND_MILLIS));
            return (int) NANOSLEEP.invokeExact(time, MemorySegment.NULL);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    private static boolean sleepAsThread() {
        try {
            Thread.sleep(SECOND_MILLIS);
            return true;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // A virtual thread cannot leave its carrier inside a class initialiser.

    private static final class First {
        static final Object SLEPT = sleepAsThread();
    }

    private static final class Second {
        static final Object SLEPT = sleepAsThread();
    }

    private static final class Third {
        static final Object SLEPT = sleepAsThread();
    }

    private static final class Fourth {
        static final Object SLEPT = sleepAsThread();
    }

    private static List<Callable<@Nullable Object>> readers() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("coir-monitor");
        List<Callable<@Nullable Object>> readers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Path fifo = folder.resolve("fifo" + i);
            if (new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor() != 0)
                throw new IOException("mkfifo cannot make " + fifo);
            var writer = new RandomAccessFile(fifo.toFile(), "rw"); // opened for both: nobody waits for the other end
            readers.add(() -> read(fifo, writer));
        }
        return readers;
    }

    /** Reads the byte that is written a second later. */
    private static Object read(Path fifo, RandomAccessFile writer) throws IOException {
        try (writer;
                var in = new FileInputStream(fifo.toFile())) {
            var inASecond = CompletableFuture.delayedExecutor(SECOND_MILLIS, TimeUnit.MILLISECONDS);
            var written = CompletableFuture.runAsync(() -> write(writer), inASecond);
            int read = in.read();
            written.join();
            Files.delete(fifo);
            return read;
        }
    }

    private static void write(RandomAccessFile writer) {
        try {
            writer.write(7);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
