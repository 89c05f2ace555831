package dev.coir.net;

import dev.coir.fiber.Fiber;
import dev.coir.net.internal.FileHandle;
import dev.coir.net.internal.Net;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.file.FileSystems;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * A file that is read and written at given places, without keeping a worker while the disk works. What is in memory already is
 * read at once. Other reads are done by the system while the caller waits (io_uring), where that is allowed; else, and for
 * writes, the call is {@linkplain Fiber#blocking declared blocking}. Any number may use it at a time.
 *
 * {@snippet :
 * try (AsyncFile file = AsyncFile.open(Path.of("data"), StandardOpenOption.READ)) {
 *     ByteBuffer buffer = ByteBuffer.allocate(4096);
 *     int count = file.read(buffer, 0);
 * }
 * }
 */
public final class AsyncFile implements Channel {
    private final FileHandle handle;
    private final Set<OpenOption> options;

    private AsyncFile(FileHandle handle, Set<OpenOption> options) {
        this.handle = handle;
        this.options = options;
    }

    /**
     * Opens a file.
     *
     * @param path which
     * @param options how, as of {@link java.nio.channels.FileChannel#open(Path, OpenOption...)}
     * @return the file
     * @throws IOException when that fails
     */
    public static AsyncFile open(Path path, OpenOption... options) throws IOException {
        return open(Net.standard(), path, options);
    }

    static AsyncFile open(Net net, Path path, OpenOption... options) throws IOException {
        Objects.requireNonNull(path, "path");
        Set<OpenOption> how = new LinkedHashSet<>(); // one may be named twice
        for (OpenOption each : Objects.requireNonNull(options, "options"))
            how.add(Objects.requireNonNull(each, "option"));
        boolean isUsual = path.getFileSystem() == FileSystems.getDefault();
        return new AsyncFile(Blocking.call("opening " + path, () -> net.openFile(path, how, isUsual)), how);
    }

    private boolean isForWriting() {
        return options.contains(StandardOpenOption.WRITE) || options.contains(StandardOpenOption.APPEND);
    }

    private void ensureForReading(String what) {
        if (!isForWriting() || options.contains(StandardOpenOption.READ)) return;
        throw new NotOpenedFor.Reading(
                what + handle + ": opened with " + options + " (expected: with StandardOpenOption.READ as well)");
    }

    private void ensureForWriting(String what) {
        if (isForWriting()) return;
        throw new NotOpenedFor.Writing(
                what + handle + ": opened with " + (options.isEmpty() ? "no options, for reading" : options)
                        + " (expected: with StandardOpenOption.WRITE)");
    }

    /**
     * Reads what there is at a place.
     *
     * @param into where to
     * @param position where from
     * @return how many bytes; -1 at the end of the file
     * @throws java.nio.channels.ClosedChannelException when it is closed
     * @throws InterruptedIOException when interrupted or cancelled; the file is still usable
     * @throws java.nio.channels.NonReadableChannelException when it was opened for writing only
     * @throws IOException when that fails
     */
    public int read(ByteBuffer into, long position) throws IOException {
        Objects.requireNonNull(into, "into");
        ensureNotNegative(position);
        handle.begin();
        try {
            ensureForReading("reading from ");
            return read(handle, into, position);
        } finally {
            handle.end();
        }
    }

    /** Reads from a file that the caller is inside of. */
    static int read(FileHandle handle, ByteBuffer into, long position) throws IOException {
        int count = handle.readNow(into, position);
        if (count != FileHandle.AGAIN) return count;
        count = handle.readAside(into, position);
        if (count != FileHandle.AGAIN) return count;
        return Blocking.read(handle, into, position);
    }

    /**
     * Writes everything to a place.
     *
     * @param from where from
     * @param position where to
     * @return how many bytes: all that were left in the buffer
     * @throws java.nio.channels.ClosedChannelException when it is closed
     * @throws InterruptedIOException when interrupted or cancelled; the file is still usable, and some of it may have been written
     * @throws java.nio.channels.NonWritableChannelException when it was opened for reading only
     * @throws IOException when that fails
     */
    public int write(ByteBuffer from, long position) throws IOException {
        ensureNotNegative(position);
        int start = Objects.requireNonNull(from, "from").position();
        handle.begin();
        try {
            ensureForWriting("writing to ");
            if (!handle.writeAside(from, position)) {
                Blocking.write(handle, from, position + from.position() - start);
            }
            return from.position() - start;
        } finally {
            handle.end();
        }
    }

    /**
     * Waits until what was written is on the disk.
     *
     * @param metadata whether the file's times and the like must be as well
     * @throws IOException when that fails
     */
    public void force(boolean metadata) throws IOException {
        handle.begin();
        try {
            if (handle.forceAside(metadata)) return;
            Blocking.call(handle, "forcing " + handle, () -> {
                handle.force(metadata);
                return true;
            });
        } finally {
            handle.end();
        }
    }

    /**
     * Waits until what was written, with all that belongs to it, is on the disk.
     *
     * @throws IOException when that fails
     */
    public void force() throws IOException {
        force(true);
    }

    /**
     * Changes the file's length.
     *
     * @param length the new one
     * @throws java.nio.channels.NonWritableChannelException when it was opened for reading only
     * @throws IOException when that fails
     */
    public void truncate(long length) throws IOException {
        ensureNotNegative(length);
        String what = "changing the length of ";
        call(what + handle, () -> {
            ensureForWriting(what);
            handle.truncate(length);
            return true;
        });
    }

    /**
     * How long the file is.
     *
     * @return bytes
     * @throws IOException when that fails
     */
    public long size() throws IOException {
        return call("asking for the length of " + handle, handle::size);
    }

    /**
     * Sends a part of the file over a stream: without a copy in this process, where the system can and the stream is not
     * secured by TLS.
     *
     * @param position where it begins
     * @param count how many bytes at most
     * @param to the stream
     * @return how many bytes: fewer when the file ends before
     * @throws java.nio.channels.NonReadableChannelException when it was opened for writing only
     * @throws IOException when reading or writing fails
     */
    public long transferTo(long position, long count, TcpStream to) throws IOException {
        ensureNotNegative(position);
        ensureNotNegative(count);
        Objects.requireNonNull(to, "to");
        handle.begin();
        try {
            ensureForReading("sending ");
            return to.sendFile(handle, position, count);
        } finally {
            handle.end();
        }
    }

    private <T> T call(String what, Callable<T> call) throws IOException {
        handle.begin();
        try {
            return Blocking.call(handle, what, call);
        } finally {
            handle.end();
        }
    }

    private static void ensureNotNegative(long number) {
        if (number < 0) throw new IllegalArgumentException("position or length: " + number + " (expected: 0 or more)");
    }

    @Override
    public boolean isOpen() {
        return handle.isOpen();
    }

    /** Closes the file. Calls that are under way end first; later ones get a ClosedChannelException. */
    @Override
    public void close() {
        handle.closeNow();
    }

    @Override
    public String toString() {
        return "AsyncFile[" + handle + (isOpen() ? "" : ", closed") + "]";
    }
}
