package dev.coir.net.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Set;

/** A file over the JDK's channel: for systems without a native kind. An interrupt closes such a channel. */
public final class NioFile extends FileHandle {
    private final FileChannel channel;
    private final Path path;

    private NioFile(FileChannel channel, Path path) {
        this.channel = channel;
        this.path = path;
    }

    /**
     * Opens a file.
     *
     * @param path which
     * @param options how
     * @return the file
     * @throws IOException when that fails
     */
    public static NioFile open(Path path, Set<? extends OpenOption> options) throws IOException {
        try {
            return new NioFile(FileChannel.open(path, options), path);
        } catch (IOException failure) {
            throw named("opening ", path, failure);
        }
    }

    /** The JDK says of a directory only that it is one. */
    private static IOException named(String what, Path path, IOException failure) {
        boolean special = failure.getClass() != IOException.class && failure.getClass() != FileSystemException.class;
        if (special || !Files.isDirectory(path)) return failure;
        return new IOException(what + path + IS_DIRECTORY, failure);
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
        try {
            return channel.read(into, position);
        } catch (IOException failure) {
            throw named("reading from ", path, failure);
        }
    }

    @Override
    public int readNow(ByteBuffer into, long position) {
        return AGAIN;
    }

    @Override
    public int write(ByteBuffer from, long position) throws IOException {
        int start = from.position();
        while (from.hasRemaining()) channel.write(from, position + from.position() - start);
        return from.position() - start;
    }

    @Override
    public void force(boolean metadata) throws IOException {
        channel.force(metadata);
    }

    @Override
    public void truncate(long length) throws IOException {
        channel.truncate(length);
    }

    @Override
    public long size() throws IOException {
        return channel.size();
    }

    @Override
    void release() {
        try {
            channel.close();
        } catch (IOException e) {
            // it is closed all the same
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
