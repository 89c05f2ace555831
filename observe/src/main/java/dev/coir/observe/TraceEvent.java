package dev.coir.observe;

import org.jspecify.annotations.Nullable;

/** A stretch of the user's own code that a {@link Trace} shows, from {@link Trace#event} to {@link #close}. */
public final class TraceEvent implements AutoCloseable {
    static final TraceEvent NONE = new TraceEvent(null, "", null);
    static final long OPEN = Long.MIN_VALUE;

    private final @Nullable Recorder recorder; // null when nobody records
    private final String name;
    private final @Nullable Scene scene;
    private final long begun = System.nanoTime();
    private volatile long ended = OPEN; // written by close, read when the trace ends

    TraceEvent(@Nullable Recorder recorder, String name, @Nullable Scene scene) {
        this.recorder = recorder;
        this.name = name;
        this.scene = scene;
    }

    /** Ends it. Does nothing when it has ended. */
    @Override
    public void close() {
        if (recorder == null || ended != OPEN) return;
        ended = System.nanoTime();
        recorder.note(this);
    }

    String name() {
        return name;
    }

    @Nullable
    Scene scene() {
        return scene;
    }

    long begun() {
        return begun;
    }

    /** When it ended, or {@link #OPEN}. */
    long ended() {
        return ended;
    }

    @Override
    public String toString() {
        return "TraceEvent[" + name + (ended == OPEN && recorder != null ? ", open]" : "]");
    }
}
