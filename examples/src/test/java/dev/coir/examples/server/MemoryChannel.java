package dev.coir.examples.server;

import java.nio.channels.ByteChannel;

/** A client within the test: there is nothing to close. */
public abstract class MemoryChannel implements ByteChannel {
    @Override
    public final boolean isOpen() {
        return true;
    }

    @Override
    public final void close() {}
}
