package dev.coir.bench.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** The hello server of the JDK: a virtual thread for each connection of a ServerSocket. */
final class JdkHello {
    private JdkHello() {}

    public static void main(String[] args) throws IOException {
        try (var listener = new ServerSocket(Integer.parseInt(args[0]), 1024, InetAddress.getLoopbackAddress())) {
            while (true) {
                Socket client = listener.accept();
                Thread.ofVirtual().start(() -> serve(client));
            }
        }
    }

    private static void serve(Socket client) {
        try (client;
                var in = client.getInputStream();
                var out = client.getOutputStream()) {
            client.setTcpNoDelay(true);
            var ends = new RequestEnds();
            byte[] request = new byte[4096];
            byte[] answers = new byte[32 * RequestEnds.ANSWER.length];
            int size = 0;
            for (int count = in.read(request); count >= 0; count = in.read(request)) {
                for (int i = 0; i < count; i++) {
                    if (!ends.endsWith(request[i])) continue;
                    if (size == answers.length) {
                        out.write(answers, 0, size);
                        size = 0;
                    }
                    System.arraycopy(RequestEnds.ANSWER, 0, answers, size, RequestEnds.ANSWER.length);
                    size += RequestEnds.ANSWER.length;
                }
                out.write(answers, 0, size);
                size = 0;
            }
        } catch (IOException gone) {
            // a client may go whenever it likes
        }
    }
}
