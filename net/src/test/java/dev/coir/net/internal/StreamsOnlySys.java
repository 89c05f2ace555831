package dev.coir.net.internal;

import java.lang.foreign.MemorySegment;

/** A system that has neither files nor datagrams nor io_uring: every such call is refused. */
abstract class StreamsOnlySys implements Sys {
    private static final int REFUSED = -Errno.ENOSYS;

    @Override
    public final long recvfrom(
            MemorySegment error,
            int fd,
            MemorySegment buffer,
            long length,
            MemorySegment address,
            MemorySegment addressLength) {
        return REFUSED;
    }

    @Override
    public final long sendto(
            MemorySegment error, int fd, MemorySegment buffer, long length, MemorySegment address, int addressLength) {
        return REFUSED;
    }

    @Override
    public final long sendfile(int to, int from, MemorySegment offset, long count) {
        return REFUSED;
    }

    @Override
    public final int open(MemorySegment path, int flags, int mode) {
        return REFUSED;
    }

    @Override
    public final long pread(int fd, MemorySegment buffer, long length, long offset) {
        return REFUSED;
    }

    @Override
    public final long preadNow(int fd, MemorySegment buffer, long length, long offset) {
        return REFUSED;
    }

    @Override
    public final long pwrite(int fd, MemorySegment buffer, long length, long offset) {
        return REFUSED;
    }

    @Override
    public final int fsync(int fd, boolean metadata) {
        return REFUSED;
    }

    @Override
    public final int ftruncate(int fd, long length) {
        return REFUSED;
    }

    @Override
    public final long size(int fd) {
        return REFUSED;
    }

    @Override
    public final int uringSetup(int entries, MemorySegment parameters) {
        return REFUSED;
    }

    @Override
    public final int uringEnter(int fd, int submit, int complete, int flags) {
        return REFUSED;
    }

    @Override
    public final long map(int fd, long length, long offset) {
        return REFUSED;
    }

    @Override
    public final int unmap(long address, long length) {
        return REFUSED;
    }
}
