package dev.coir.net.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/** A file that is read and written at given places. The calls may wait for the disk, unless they say otherwise. */
public abstract class FileHandle extends Gate {
    /** What a call that need not block its thread returns when it would have to. */
    public static final int AGAIN = -2;

    /** Why a directory cannot be read; follows what was tried. */
    static final String IS_DIRECTORY = ": it is a directory; open a file in it, or list it with Files.list";

    FileHandle() {}

    /**
     * Reads.
     *
     * @param into where to
     * @param position where from
     * @return how many bytes; -1 at the end
     * @throws IOException when that fails
     */
    public abstract int read(ByteBuffer into, long position) throws IOException;

    /**
     * Reads without waiting.
     *
     * @param into where to
     * @param position where from
     * @return how many bytes; -1 at the end; {@link #AGAIN} when it would have to wait
     * @throws IOException when that fails
     */
    public abstract int readNow(ByteBuffer into, long position) throws IOException;

    /**
     * Reads while the calling party waits, and not its thread.
     *
     * @param into where to
     * @param position where from
     * @return how many bytes; -1 at the end; {@link #AGAIN} when only a call that blocks can
     * @throws IOException when that fails
     */
    public int readAside(ByteBuffer into, long position) throws IOException {
        return AGAIN;
    }

    /**
     * Writes while the calling party waits, and not its thread.
     *
     * @param from where from; its position tells how much was written
     * @param position where to
     * @return whether everything was written; else only a call that blocks can write the rest
     * @throws IOException when that fails
     */
    public boolean writeAside(ByteBuffer from, long position) throws IOException {
        return !from.hasRemaining();
    }

    /**
     * Waits until what was written is on the disk; the calling party does, and not its thread.
     *
     * @param metadata whether the file's times and the like must be as well
     * @return false when only a call that blocks can
     * @throws IOException when that fails
     */
    public boolean forceAside(boolean metadata) throws IOException {
        return false;
    }

    /**
     * Writes everything.
     *
     * @param from where from
     * @param position where to
     * @return how many bytes
     * @throws IOException when that fails
     */
    public abstract int write(ByteBuffer from, long position) throws IOException;

    /**
     * Waits until what was written is on the disk.
     *
     * @param metadata whether the file's times and the like must be as well
     * @throws IOException when that fails
     */
    public abstract void force(boolean metadata) throws IOException;

    /**
     * Changes the length.
     *
     * @param length the new one
     * @throws IOException when that fails
     */
    public abstract void truncate(long length) throws IOException;

    /**
     * How long it is.
     *
     * @return bytes
     * @throws IOException when that fails
     */
    public abstract long size() throws IOException;

    /**
     * Lets somebody in for a call.
     *
     * @throws ClosedChannelException when it is closed
     */
    public final void begin() throws ClosedChannelException {
        use();
    }

    /** The call has ended. */
    public final void end() {
        endUse();
    }

    /** Closes it; calls that are under way end first. */
    public final void closeNow() {
        close();
    }

    /**
     * Whether nobody has closed it.
     *
     * @return true until then
     */
    public final boolean isOpen() {
        return !isClosed();
    }

    @Override
    final void closing() {}

    @Override
    final void expel() {}

    @Override
    final String turnReason(int direction) {
        return "a file";
    }
}
