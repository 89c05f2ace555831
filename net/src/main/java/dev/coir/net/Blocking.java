package dev.coir.net;

import dev.coir.fiber.Fiber;
import dev.coir.net.internal.FileHandle;
import dev.coir.net.internal.Whereabouts;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Callable;

/** Calls about files that may block their thread. */
final class Blocking {
    /*
     * On a thread that is not a scheduler's own, another thread makes the call while the fiber waits, and goes on when the fiber
     * is interrupted. Such a call must touch neither the fiber's buffer afterwards nor a number that has been closed. So it has
     * memory of its own, and is itself inside the file. Guarded by AsyncFileTest.anInterruptedCallOfAnotherThreadHarmsNobody.
     */
    private static final int PIECE_BYTES = 64 * 1024;

    private Blocking() {}

    static int read(FileHandle handle, ByteBuffer into, long position) throws IOException {
        String what = "reading from " + handle;
        if (!Whereabouts.isServedByAnotherThread()) return call(what, () -> handle.read(into, position));
        ByteBuffer own = ByteBuffer.allocate(Math.min(PIECE_BYTES, into.remaining()));
        int count = call(handle, what, () -> handle.read(own, position));
        into.put(own.flip());
        return count;
    }

    static void write(FileHandle handle, ByteBuffer from, long position) throws IOException {
        String what = "writing to " + handle;
        if (!Whereabouts.isServedByAnotherThread()) {
            call(what, () -> handle.write(from, position));
            return;
        }
        int start = from.position();
        while (from.hasRemaining()) {
            byte[] own = new byte[Math.min(PIECE_BYTES, from.remaining())];
            from.get(from.position(), own);
            long at = position + from.position() - start;
            call(handle, what, () -> handle.write(ByteBuffer.wrap(own), at));
            from.position(from.position() + own.length);
        }
    }

    /** Makes a call that is inside the file as long as it lasts, also when the caller has left. */
    static <T> T call(FileHandle handle, String what, Callable<T> call) throws IOException {
        return call(what, () -> {
            handle.begin();
            try {
                return call.call();
            } finally {
                handle.end();
            }
        });
    }

    static <T> T call(String what, Callable<T> call) throws IOException {
        try {
            return Fiber.blocking(call);
        } catch (IOException | RuntimeException failure) {
            throw failure;
        } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted while " + what);
        } catch (Exception impossible) {
            throw new IOException(what, impossible);
        }
    }
}
