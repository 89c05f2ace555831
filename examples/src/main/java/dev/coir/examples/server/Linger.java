package dev.coir.examples.server;

import dev.coir.net.TcpStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Ends a connection so that the last answer arrives. A socket that is closed while something lies unread in it resets the
 * connection, and the client may lose what it had not yet read. So: send the end, read on for a while, then close.
 */
public final class Linger {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int MOST_READS = 256;

    private Linger() {}

    /** Sends the end and reads what still comes, until the client ends too, or has had time enough. */
    public static void over(TcpStream client) throws IOException {
        client.shutdownOutput();
        client.readTimeout(PATIENCE);
        long start = System.nanoTime();
        var rest = ByteBuffer.allocate(4096);
        for (int i = 0; i < MOST_READS && System.nanoTime() - start < PATIENCE.toNanos(); i++) {
            if (client.read(rest.clear()) < 0) return;
        }
    }
}
