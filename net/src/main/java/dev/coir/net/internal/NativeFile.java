package dev.coir.net.internal;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** A file of Linux, by its number. */
public final class NativeFile extends FileHandle {
    private static final int NEW_FILE_RIGHTS = 0666; // less the process's mask
    private static final int ENOENT = 2;
    private static final int ENOSPC = 28;
    private final Sys sys;
    private final RingFiles ring;
    private final int fd;
    private final Path path;
    private final boolean hasPlaces; // it is no pipe, in which the system's rings would ignore the position

    private NativeFile(Sys sys, RingFiles ring, int fd, Path path) {
        this.sys = sys;
        this.ring = ring;
        this.fd = fd;
        this.hasPlaces = sys.size(fd) >= 0;
        this.path = path;
    }

    /**
     * Whether a native file can be opened so.
     *
     * @param options how
     * @return false when only the JDK's own channels can
     */
    public static boolean canOpen(Set<? extends OpenOption> options) {
        return options.stream()
                .allMatch(each -> each instanceof StandardOpenOption
                        && each != StandardOpenOption.DELETE_ON_CLOSE
                        && each != StandardOpenOption.SPARSE);
    }

    /**
     * Opens a file.
     *
     * @param sys makes the system calls
     * @param ring makes those that need not block
     * @param path which
     * @param options how
     * @return the file
     * @throws IOException when that fails
     */
    static NativeFile open(Sys sys, RingFiles ring, Path path, Set<? extends OpenOption> options) throws IOException {
        int fd;
        try (Arena arena = Arena.ofConfined()) {
            fd = sys.open(arena.allocateFrom(path.toString()), flags(options), NEW_FILE_RIGHTS);
        }
        if (fd >= 0) return new NativeFile(sys, ring, fd, path);
        throw switch (-fd) {
            case ENOENT -> new NoSuchFileException(path.toString());
            case Errno.EEXIST -> new FileAlreadyExistsException(path.toString());
            case Errno.EACCES -> new AccessDeniedException(path.toString());
            case Errno.EISDIR -> new IOException("opening " + path + IS_DIRECTORY);
            default -> new IOException("opening " + path + ": " + Errno.text(-fd));
        };
    }

    private static int flags(Set<? extends OpenOption> options) {
        boolean writes = options.contains(StandardOpenOption.WRITE) || options.contains(StandardOpenOption.APPEND);
        boolean reads = options.contains(StandardOpenOption.READ) || !writes;
        int flags = writes ? (reads ? Linux.O_RDWR : Linux.O_WRONLY) : Linux.O_RDONLY;
        if (!writes) return flags;
        if (options.contains(StandardOpenOption.CREATE_NEW)) flags |= Linux.O_CREAT | Linux.O_EXCL;
        else if (options.contains(StandardOpenOption.CREATE)) flags |= Linux.O_CREAT;
        if (options.contains(StandardOpenOption.TRUNCATE_EXISTING)) flags |= Linux.O_TRUNC;
        if (options.contains(StandardOpenOption.APPEND)) flags |= Linux.O_APPEND;
        if (options.contains(StandardOpenOption.SYNC)) flags |= Linux.O_SYNC;
        else if (options.contains(StandardOpenOption.DSYNC)) flags |= Linux.O_DSYNC;
        return flags;
    }

    /** Between begin and end only. */
    int number() {
        return fd;
    }

    private IOException failure(String what, long result) {
        if (result == -Errno.EISDIR) return new IOException(what + " " + path + IS_DIRECTORY);
        String text = result == -ENOSPC ? "ENOSPC, no space left on the device" : Errno.text((int) -result);
        return new IOException(what + " " + path + ": " + text);
    }

    private interface Move {
        long call(MemorySegment buffer, long length, long position);
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
        return read(into, position, (buffer, length, at) -> sys.pread(fd, buffer, length, at));
    }

    @Override
    public int readNow(ByteBuffer into, long position) throws IOException {
        return read(into, position, (buffer, length, at) -> {
            long count = sys.preadNow(fd, buffer, length, at);
            return count >= 0 ? count : -Errno.EAGAIN; // not every file system can; then the one that waits decides
        });
    }

    private static void ensureWritable(ByteBuffer into) {
        if (into.isReadOnly())
            throw new IllegalArgumentException("into: a read-only buffer (expected: one to write to)");
    }

    private int read(ByteBuffer into, long position, Move pread) throws IOException {
        ensureWritable(into);
        if (!into.hasRemaining()) return 0;
        long count;
        if (into.isDirect()) {
            do {
                count = pread.call(MemorySegment.ofBuffer(into), into.remaining(), position);
            } while (count == -Errno.EINTR);
            if (count > 0) into.position(into.position() + (int) count);
        } else {
            Scratch scratch = Scratch.take(into.remaining());
            try {
                ByteBuffer memory = scratch.memory(into.remaining());
                do {
                    count = pread.call(MemorySegment.ofBuffer(memory), memory.remaining(), position);
                } while (count == -Errno.EINTR);
                if (count > 0) into.put(memory.limit((int) count));
            } finally {
                scratch.giveBack();
            }
        }
        if (count == 0) return -1;
        if (count == -Errno.EAGAIN) return AGAIN;
        if (count < 0) throw failure("reading from", count);
        return (int) count;
    }

    /** As much of a buffer as fits, whose position stays. */
    private static ByteBuffer copied(ByteBuffer from, Scratch scratch) {
        ByteBuffer memory = scratch.memory(from.remaining());
        return memory.put(0, from, from.position(), memory.remaining());
    }

    @Override
    public int write(ByteBuffer from, long position) throws IOException {
        int start = from.position();
        Scratch scratch = Scratch.take(from.remaining());
        try {
            while (from.hasRemaining()) {
                ByteBuffer memory = from.isDirect() ? from : copied(from, scratch);
                long at = position + from.position() - start;
                long count = sys.pwrite(fd, MemorySegment.ofBuffer(memory), memory.remaining(), at);
                if (count == -Errno.EINTR) continue;
                if (count < 0) throw failure("writing to", count);
                from.position(from.position() + (int) count);
            }
        } finally {
            scratch.giveBack();
        }
        return from.position() - start;
    }

    // ---- by the ring ------------------------------------------------------------------------------------------------

    /*
     * The system gets memory of our own and never the caller's buffer: that may lie on the heap, and when it does not, its owner
     * may free it while the system still writes to it.
     */

    @Override
    public int readAside(ByteBuffer into, long position) throws IOException {
        ensureWritable(into);
        if (!into.hasRemaining()) return 0;
        if (!hasPlaces || !ring.isUsable()) return AGAIN;
        Scratch scratch = Scratch.take(into.remaining());
        ByteBuffer memory = scratch.memory(into.remaining());
        var call = new RingCall(Linux.IORING_OP_READ, fd, scratch.segment(), memory.remaining(), position, 0);
        try {
            int count = ring.make(call, "reading from " + path);
            if (count == RingCall.NOT_TAKEN) return AGAIN;
            if (count < 0) throw failure("reading from", count);
            into.put(memory.limit(count));
            return count == 0 ? -1 : count;
        } finally {
            if (call.isDone()) scratch.giveBack(); // else the system may still use it: C1 of RingCall
        }
    }

    @Override
    public boolean writeAside(ByteBuffer from, long position) throws IOException {
        int start = from.position();
        while (from.hasRemaining()) {
            if (!hasPlaces || !ring.isUsableForWrites()) return false;
            int count;
            try {
                count = writeOnce(from, position + from.position() - start);
            } catch (InterruptedIOException e) {
                from.position(from.position() + e.bytesTransferred);
                e.bytesTransferred = from.position() - start;
                throw e;
            }
            if (count == RingCall.NOT_TAKEN || count == 0) return false;
            if (count < 0) throw failure("writing to", count);
            from.position(from.position() + count);
        }
        return true;
    }

    private int writeOnce(ByteBuffer from, long position) throws IOException {
        Scratch scratch = Scratch.take(from.remaining());
        ByteBuffer memory = copied(from, scratch);
        var call = new RingCall(Linux.IORING_OP_WRITE, fd, scratch.segment(), memory.remaining(), position, 0);
        try {
            return ring.make(call, "writing to " + path);
        } finally {
            if (call.isDone()) scratch.giveBack();
        }
    }

    @Override
    public boolean forceAside(boolean metadata) throws IOException {
        if (!hasPlaces || !ring.isUsableForWrites()) return false;
        int flags = metadata ? 0 : Linux.IORING_FSYNC_DATASYNC;
        int result =
                ring.make(new RingCall(Linux.IORING_OP_FSYNC, fd, MemorySegment.NULL, 0, 0, flags), "forcing " + path);
        if (result == RingCall.NOT_TAKEN) return false;
        if (result < 0) throw failure("forcing to the disk", result);
        return true;
    }

    // ---- calls that block -------------------------------------------------------------------------------------------

    @Override
    public void force(boolean metadata) throws IOException {
        int result = sys.fsync(fd, metadata);
        if (result < 0) throw failure("forcing to the disk", result);
    }

    @Override
    public void truncate(long length) throws IOException {
        int result = sys.ftruncate(fd, length);
        if (result < 0) throw failure("changing the length of", result);
    }

    @Override
    public long size() throws IOException {
        long size = sys.size(fd);
        if (size < 0) throw failure("asking for the length of", size);
        return size;
    }

    @Override
    void release() {
        sys.close(fd);
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
