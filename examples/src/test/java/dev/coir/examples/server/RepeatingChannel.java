package dev.coir.examples.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;

/** A client that sends the same again and again, and forgets what it gets; neither makes garbage. */
public final class RepeatingChannel extends MemoryChannel {
    private final byte[] message;
    private int left;

    private RepeatingChannel(byte[] message) {
        this.message = message;
    }

    /** What serves a channel until its end. */
    public interface Service {
        void serve(ByteChannel client) throws IOException;
    }

    /** Serving a message over and over allocates nothing, but for what a connection needs once. */
    public static void assertAllocatesNothing(byte[] message, Service service) throws IOException {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        var client = new RepeatingChannel(message);
        client.left = 50_000; // so that all is compiled, and what is made lazily is made
        service.serve(client);
        int rounds = 100_000;
        client.left = rounds;
        long before = threads.getCurrentThreadAllocatedBytes();
        service.serve(client);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(allocated < rounds, allocated + " bytes for " + rounds + " rounds");
    }

    @Override
    public int read(ByteBuffer target) {
        if (left-- <= 0) return -1;
        target.put(message);
        return message.length;
    }

    @Override
    public int write(ByteBuffer source) {
        int length = source.remaining();
        source.position(source.limit());
        return length;
    }
}
