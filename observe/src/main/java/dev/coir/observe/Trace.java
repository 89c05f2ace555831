package dev.coir.observe;

import dev.coir.internal.JdkAccess;
import dev.coir.internal.Pins;
import dev.coir.internal.trace.Tracing;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Records what all schedulers of this JVM do, and the program's own events, and writes a file that <a
 * href="https://ui.perfetto.dev">Perfetto</a> and Chrome's {@code about:tracing} open.
 *
 * {@snippet :
 * try (var trace = Trace.to(Path.of("trace.json"))) {
 *     try (var event = Trace.event("load")) {
 *         load();
 *     }
 * }
 * }
 *
 * <p>While no trace is on, recording costs nothing, and an event next to nothing. While one is, each thread keeps its newest events
 * in memory, and the file is written by {@link #close}; how many older ones were dropped is said in it.
 */
public final class Trace implements AutoCloseable {
    private static final int EVENTS_PER_THREAD = 1 << 16;
    private static final int FEWEST = 16;
    private static final int MOST = 1 << 24;
    private static final AtomicReference<@Nullable Trace> CURRENT = new AtomicReference<>();

    private final Path file;
    private final Recorder recorder;
    private final BufferedWriter out;
    private long begun; // set once, before anybody records
    private boolean closed; // guarded by this
    private long lost; // guarded by this

    private Trace(Path file, Recorder recorder, BufferedWriter out) {
        this.file = file;
        this.recorder = recorder;
        this.out = out;
    }

    /**
     * Begins a trace. Of each thread the newest 65 536 events are kept.
     *
     * @param file where it will be written; made, or emptied, at once
     * @return to be closed by anybody
     * @throws IllegalStateException when a trace is on
     * @throws UncheckedIOException when the file cannot be written
     */
    public static Trace to(Path file) {
        return to(file, EVENTS_PER_THREAD);
    }

    /**
     * Begins a trace.
     *
     * @param file where it will be written; made, or emptied, at once
     * @param eventsPerThread how many events of each thread are kept, rounded up to a power of two; 16 or more. One takes about 40
     *     bytes, once it is needed
     * @return to be closed by anybody
     * @throws IllegalStateException when a trace is on
     * @throws UncheckedIOException when the file cannot be written
     */
    public static Trace to(Path file, int eventsPerThread) {
        Objects.requireNonNull(file, "file");
        if (eventsPerThread < FEWEST || eventsPerThread > MOST)
            throw new IllegalArgumentException(
                    "eventsPerThread: " + eventsPerThread + " (expected: " + FEWEST + " to " + MOST + ")");
        JdkAccess.ensureOpen();
        var recorder = new Recorder(Integer.highestOneBit(2 * eventsPerThread - 1));
        Pins.staying(() -> claim(recorder));
        try {
            var trace = new Trace(file, recorder, Files.newBufferedWriter(file));
            trace.begun = System.nanoTime();
            CURRENT.set(trace);
            recorder.begin();
            return trace;
        } catch (IOException failure) {
            Pins.staying(() -> Tracing.end(recorder));
            throw new UncheckedIOException(
                    "cannot write a trace to " + file + " (" + failure
                            + "): name a file in a folder that exists and is yours",
                    failure);
        }
    }

    private static void claim(Recorder recorder) {
        if (Tracing.tryBegin(recorder)) return;
        Trace on = CURRENT.get();
        throw new IllegalStateException("a trace is on already" + (on == null ? "" : ", to " + on.file)
                + ": close it before you begin another");
    }

    /**
     * Whether a trace is on. Costs nothing.
     *
     * @return false while nothing is recorded
     */
    public static boolean isOn() {
        return Tracing.isOn();
    }

    /**
     * Begins an event of the program's own: a bar in the row of the calling fiber, or thread. Events of a fiber or thread lie
     * inside one another, so close the inner one first.
     *
     * @param name what the bar is called
     * @return to be closed by the same fiber or thread
     */
    public static TraceEvent event(String name) {
        Objects.requireNonNull(name, "name");
        if (!Tracing.isOn()) return TraceEvent.NONE;
        Trace on = CURRENT.get();
        if (on == null) return TraceEvent.NONE;
        var event = new TraceEvent(on.recorder, name, Scene.current());
        on.recorder.note(event);
        return event;
    }

    /**
     * Puts a mark into the row of the calling fiber, or thread.
     *
     * @param name what the mark is called
     */
    public static void mark(String name) {
        Objects.requireNonNull(name, "name");
        if (!Tracing.isOn()) return;
        Trace on = CURRENT.get();
        if (on != null) on.recorder.mark(name, Scene.current());
    }

    /**
     * Where it is, or will be, written.
     *
     * @return the file
     */
    public Path file() {
        return file;
    }

    /**
     * How many events were dropped because newer ones took their place.
     *
     * @return 0 before {@link #close}
     */
    public synchronized long lost() {
        return lost;
    }

    /**
     * Ends the trace and writes the file. Does nothing when it was closed before.
     *
     * @throws UncheckedIOException when the file cannot be written
     */
    @Override
    public synchronized void close() {
        if (closed) return;
        closed = true;
        List<Ring> rings = recorder.end();
        long ended = System.nanoTime();
        CURRENT.compareAndSet(this, null);
        Pins.staying(() -> Tracing.end(recorder));
        lost = recorder.unwritten() + rings.stream().mapToLong(Ring::lost).sum();
        try (out) {
            TraceFile.write(out, new Story(rings, begun, ended), lost);
        } catch (IOException | UncheckedIOException failure) {
            IOException cause =
                    failure instanceof UncheckedIOException wrapped ? wrapped.getCause() : (IOException) failure;
            throw new UncheckedIOException(
                    "the trace could not be written to " + file + " (" + cause + "): what is there is not complete",
                    cause);
        }
    }

    @Override
    public String toString() {
        return "Trace[" + file + "]";
    }
}
