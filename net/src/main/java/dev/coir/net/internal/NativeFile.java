package dev.coir.net.internal;

import java.io.IOException;
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
    private final Sys sys;
    private final int fd;
    private final Path path;

    private NativeFile(Sys sys, int fd, Path path) {
        this.sys = sys;
        this.fd = fd;
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
     * @param path which
     * @param options how
     * @return the file
     * @throws IOException when that fails
     */
    public static NativeFile open(Sys sys, Path path, Set<? extends OpenOption> options) throws IOException {
        int fd;
        try (Arena arena = Arena.ofConfined()) {
            fd = sys.open(arena.allocateFrom(path.toString()), flags(options), NEW_FILE_RIGHTS);
        }
        if (fd >= 0) return new NativeFile(sys, fd, path);
        throw switch (-fd) {
            case ENOENT -> new NoSuchFileException(path.toString());
            case Errno.EEXIST -> new FileAlreadyExistsException(path.toString());
            case Errno.EACCES -> new AccessDeniedException(path.toString());
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
        return new IOException(what + " " + path + ": " + Errno.text((int) -result));
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

    private int read(ByteBuffer into, long position, Move pread) throws IOException {
        if (into.isReadOnly())
            throw new IllegalArgumentException("into: a read-only buffer (expected: one to write to)");
        if (!into.hasRemaining()) return 0;
        long count;
        if (into.isDirect()) {
            do {
                count = pread.call(MemorySegment.ofBuffer(into), into.remaining(), position);
            } while (count == -Errno.EINTR);
            if (count > 0) into.position(into.position() + (int) count);
        } else {
            Scratch scratch = Scratch.take();
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

    @Override
    public int write(ByteBuffer from, long position) throws IOException {
        int start = from.position();
        Scratch scratch = Scratch.take();
        try {
            while (from.hasRemaining()) {
                ByteBuffer memory = from.isDirect() ? from : scratch.gather(new ByteBuffer[] {from}, 0, 1);
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
