package dev.coir.bench.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A contestant's process, on a processor of its own. */
final class RunningServer implements AutoCloseable {
    private static final int START_MILLIS = 20_000;

    private final Contestant contestant;
    private final Process process;
    private final Path log;
    private final int port;

    private RunningServer(Contestant contestant, Process process, Path log, int port) {
        this.contestant = contestant;
        this.process = process;
        this.log = log;
        this.port = port;
    }

    static RunningServer start(Contestant contestant, int processor) throws IOException, InterruptedException {
        int port = freePort();
        List<String> command = new ArrayList<>(List.of("taskset", "-c", String.valueOf(processor)));
        for (String each : contestant.command()) command.add(each.replace(Contestant.PORT, String.valueOf(port)));
        Path log = Files.createTempFile("coir-server", ".log");
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(contestant.variables());
        var server = new RunningServer(contestant, builder.start(), log, port);
        try {
            server.awaitPort();
        } catch (IOException e) {
            server.close();
            throw e;
        }
        return server;
    }

    private static int freePort() throws IOException {
        try (var probe = new ServerSocket(0)) {
            return probe.getLocalPort();
        }
    }

    private void awaitPort() throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (true) {
            try (var probe = new Socket()) {
                probe.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
                return;
            } catch (IOException notYet) {
                boolean late = System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(START_MILLIS);
                if (late || process.waitFor(50, TimeUnit.MILLISECONDS)) {
                    throw new IOException(contestant.label() + " does not listen: " + Files.readString(log), notYet);
                }
            }
        }
    }

    Contestant contestant() {
        return contestant;
    }

    int port() {
        return port;
    }

    /** The time its threads have run, in the kernel and outside. */
    double cpuSeconds() throws IOException {
        return CpuTime.of(process);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        log.toFile().delete();
    }
}
