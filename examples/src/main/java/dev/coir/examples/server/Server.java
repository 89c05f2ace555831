package dev.coir.examples.server;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.net.TcpListener;
import dev.coir.net.TcpStream;
import dev.coir.sync.Semaphore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousCloseException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Accepts connections and gives each a fiber of its own. There are as many fibers as connections, and as many threads as
 * processors. When the process has no descriptors left to spare, it accepts no more until a client has gone; those that come
 * meanwhile wait in the system's queue.
 */
public final class Server implements AutoCloseable {
    /** What is done with a connection. */
    public interface Service {
        /** Serves one client until it is done; its stream is closed afterwards. */
        void serve(TcpStream client) throws IOException, InterruptedException;
    }

    private final Options options;
    private final Scheduler scheduler;
    private final TcpListener listener;
    private final Service service;
    private final AtomicInteger open = new AtomicInteger();
    private final Semaphore room = new Semaphore(Descriptors.forConnections());

    private Server(Options options, Scheduler scheduler, TcpListener listener, Service service) {
        this.options = options;
        this.scheduler = scheduler;
        this.listener = listener;
        this.service = service;
    }

    /** Listens and serves, from now until it is closed. */
    public static Server start(Options options, Service service) throws IOException {
        TcpListener listener = TcpListener.bind(options.address());
        var scheduler =
                Scheduler.builder().name("server").workers(options.workers()).start();
        var server = new Server(options, scheduler, listener, service);
        server.go("accept", server::acceptAll);
        return server;
    }

    /** Starts another fiber of this server; it ends with the server. */
    public void go(String name, Runnable body) {
        Fiber.builder().on(scheduler).kind(options.kind()).name(name).start(body);
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /** How many clients are connected. */
    public int connections() {
        return open.get();
    }

    private void acceptAll() {
        var fibers = Fiber.builder().on(scheduler).kind(options.kind());
        while (true) {
            try {
                room.acquire();
                accept(fibers);
            } catch (AsynchronousCloseException | InterruptedIOException | InterruptedException over) {
                return;
            } catch (IOException e) {
                room.release(); // a client that was gone before it was accepted
            }
        }
    }

    private void accept(Fiber.Builder fibers) throws IOException {
        TcpStream client = listener.accept();
        try {
            fibers.start(() -> serve(client));
        } catch (RejectedExecutionException full) {
            client.close();
            room.release();
        }
    }

    private void serve(TcpStream client) {
        open.incrementAndGet();
        try (client) {
            client.noDelay(true); // an answer is written whole, so there is nothing to wait for
            service.serve(client);
        } catch (IOException | InterruptedException gone) {
            // a client may go whenever it likes, and so may the server
        } finally {
            open.decrementAndGet();
            room.release();
        }
    }

    /** Accepts no more, and ends what is being served. */
    @Override
    public void close() {
        listener.close();
        scheduler.shutdownNow();
    }
}
