package dev.coir.net.internal;

import java.io.IOException;
import java.net.SocketAddress;

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
     * The one that programs use: native on Linux. {@code -Dcoir.net=selector} chooses the other one.
     *
     * @return the net
     */
    static Net standard() {
        return StandardNet.INSTANCE;
    }
}
