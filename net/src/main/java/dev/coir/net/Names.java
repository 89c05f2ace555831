package dev.coir.net;

import dev.coir.fiber.Fiber;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/** Turns names into addresses without keeping a worker: the JDK's resolver blocks its thread, so that is declared. */
final class Names {
    private Names() {}

    /** The addresses to try, in the resolver's order; an address that is resolved stays as it is. */
    static List<SocketAddress> resolve(SocketAddress address) throws IOException {
        if (!(address instanceof InetSocketAddress inet) || !inet.isUnresolved()) return List.of(address);
        List<SocketAddress> all = new ArrayList<>();
        for (InetAddress each : lookUp(inet.getHostString())) all.add(new InetSocketAddress(each, inet.getPort()));
        return all;
    }

    static SocketAddress resolveOne(SocketAddress address) throws IOException {
        return resolve(address).getFirst();
    }

    private static InetAddress[] lookUp(String host) throws IOException {
        try {
            return Fiber.blocking(() -> InetAddress.getAllByName(host));
        } catch (UnknownHostException unknown) {
            var clear = new UnknownHostException("no address is known for the host name " + host);
            clear.initCause(unknown);
            throw clear;
        } catch (IOException | RuntimeException failure) {
            throw failure;
        } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted while resolving " + host);
        } catch (Exception impossible) {
            throw new IOException("resolving " + host, impossible);
        }
    }
}
