package dev.coir.bench.monitor;

import dev.coir.executor.Scheduler;
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
    private static volatile long millis = 1_000;

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
            case FIFO, FIFO_LIGHT -> readers(4);
            default -> throw new IllegalArgumentException(of + " (expected: a case that blocks)");
        };
    }

    /** Does once, briefly, what a body will do, so that its code is loaded and linked: that would be computing, not blocking. */
    static void rehearse(Case of, Scheduler scheduler) throws Exception {
        long meant = millis;
        millis = 1;
        Callable<@Nullable Object> body = switch (of) {
            case INITIALISER, INITIALISER_LIGHT -> () -> Zeroth.SLEPT;
            case FIFO, FIFO_LIGHT -> readers(1).get(0);
            default -> bodies(of).get(0);
        };
        Fiber.builder().on(scheduler).kind(of.kind()).start(body).join();
        millis = meant;
    }

    private static Object nanosleep() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocate(ValueLayout.JAVA_LONG, 2);
            time.setAtIndex(ValueLayout.JAVA_LONG, 0, TimeUnit.MILLISECONDS.toSeconds(millis));
            time.setAtIndex(ValueLayout.JAVA_LONG, 1, TimeUnit.MILLISECONDS.toNanos(millis % 1_000));
            return (int) NANOSLEEP.invokeExact(time, MemorySegment.NULL);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    private static boolean sleepAsThread() {
        try {
            Thread.sleep(millis);
            return true;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // A virtual thread cannot leave its carrier inside a class initialiser.

    private static final class Zeroth {
        static final Object SLEPT = sleepAsThread();
    }

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

    private static List<Callable<@Nullable Object>> readers(int count) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("coir-monitor");
        List<Callable<@Nullable Object>> readers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
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
            var inASecond = CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS);
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
