package dev.coir.net.internal;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Set;

/** Makes sockets: a native kind, and one over the JDK's channels where there is no native one. */
public interface Net {
    /**
     * A socket for connecting to, or listening at, an address.
     *
     * @param address a resolved address
     * @param listening whether it will listen
     * @return a new socket
     * @throws IOException when that fails
     */
    SocketHandle openStream(SocketAddress address, boolean listening) throws IOException;

    /**
     * A socket for datagrams.
     *
     * @param address where it will be bound: a resolved Internet address
     * @return a new socket
     * @throws IOException when that fails
     */
    SocketHandle openDatagram(SocketAddress address) throws IOException;

    /**
     * A file.
     *
     * @param path which
     * @param options how to open it
     * @param isUsual whether it lies in the system's own file system
     * @return the file
     * @throws IOException when that fails
     */
    FileHandle openFile(Path path, Set<? extends OpenOption> options, boolean isUsual) throws IOException;

    /**
     * The one that programs use: native on Linux. {@code -Dcoir.net=selector} chooses the other one.
     *
     * @return the net
     */
    static Net standard() {
        return StandardNet.INSTANCE;
    }
}
