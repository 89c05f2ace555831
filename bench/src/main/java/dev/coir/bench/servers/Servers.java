package dev.coir.bench.servers;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * How many requests does a server answer on one processor? Requests per second; Coir's examples and their peers, side by
 * side. Server and load generator have a processor each. All servers run all the time; the rounds go over them in turn, so
 * that what disturbs the machine for a while disturbs all.
 */
public final class Servers {
    /** What {@code --only} calls it. */
    public static final String NAME = "servers";

    private static final int SERVER_PROCESSOR = 0;
    private static final int LOAD_PROCESSOR = 1;
    private static final int[] CONNECTIONS = {64, 1000};

    private final PrintStream out;
    private final int rounds;
    private final double seconds;
    private final double warmUpSeconds;

    private Servers(PrintStream out, boolean quick) {
        this.out = out;
        rounds = quick ? 2 : 5;
        seconds = quick ? 1 : 3;
        warmUpSeconds = quick ? 2 : 4;
    }

    /**
     * Measures and prints.
     *
     * @param out where to
     * @param quick whether a rough answer will do
     * @return 0, or 1 when something failed
     */
    public static int run(PrintStream out, boolean quick) {
        List<String> missing = Tools.missing("taskset", "wrk", "redis-benchmark", "redis-server", "go");
        if (missing.contains("taskset") || Runtime.getRuntime().availableProcessors() < 2) {
            out.println("servers: not measured: this needs Linux, taskset and two processors");
            return 1;
        }
        for (String each : missing) out.println("servers: without " + each + ", which is missing: " + Tools.cure(each));
        try {
            new Servers(out, quick).all(missing);
            return 0;
        } catch (IOException e) {
            out.println("servers: " + e.getMessage());
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    private void all(List<String> missing) throws IOException, InterruptedException {
        out.printf(
                Locale.ROOT,
                "Servers: server on processor %d, load on %d; load average before: %.1f%n",
                SERVER_PROCESSOR,
                LOAD_PROCESSOR,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        Path folder = Files.createTempDirectory("coir-servers");
        if (!missing.contains("wrk")) hello(folder, !missing.contains("go"));
        if (!missing.contains("redis-benchmark")) redis(!missing.contains("redis-server"));
        out.println();
        out.println("req/s: median of " + rounds
                + " rounds. spread: half of highest less lowest. ratio: Coir's light fibers over"
                + " this, round by round;");
        out.println(
                "higher is better for Coir. CPU: time of the server's process for one request. The plain servers look for"
                        + " the end of a request");
        out.println("and for nothing else; Coir's parses and checks the whole of it.");
    }

    private void hello(Path folder, boolean withGo) throws IOException, InterruptedException {
        List<Contestant> contestants = new ArrayList<>();
        contestants.add(Contestant.coir("Coir, light fibers", "http", "light"));
        contestants.add(Contestant.coir("Coir, virtual fibers", "http", "virtual"));
        if (withGo) {
            List<String> program = List.of(GoProgram.build(folder).toString(), Contestant.PORT);
            contestants.add(new Contestant("Go, net, GOMAXPROCS=1", program, Map.of("GOMAXPROCS", "1"), 1.1));
        }
        contestants.add(Contestant.java(
                "JDK, ServerSocket, virtual threads",
                1.2,
                List.of("-Djdk.virtualThreadScheduler.parallelism=1"),
                JdkHello.class.getName(),
                Contestant.PORT));
        contestants.add(Contestant.java(
                "Netty 4.2, epoll, raw handler", 1.0, List.of(), NettyHello.class.getName(), Contestant.PORT));
        List<Load> loads = new ArrayList<>();
        for (int connections : CONNECTIONS) loads.add(Load.wrk(connections, LOAD_PROCESSOR));
        measure(contestants, loads);
    }

    private void redis(boolean withRedis) throws IOException, InterruptedException {
        for (int pipeline : new int[] {1, 16}) {
            List<Contestant> contestants = new ArrayList<>();
            contestants.add(Contestant.coir("Coir, light fibers", "redis", "light"));
            contestants.add(Contestant.coir("Coir, virtual fibers", "redis", "virtual"));
            if (withRedis) {
                List<String> command = List.of(
                        "redis-server",
                        "--port",
                        Contestant.PORT,
                        "--save",
                        "",
                        "--appendonly",
                        "no",
                        "--bind",
                        "127.0.0.1");
                contestants.add(new Contestant("Redis itself", command, Map.of(), pipeline == 1 ? 0.8 : 1.0));
            }
            List<Load> loads = new ArrayList<>();
            for (int connections : CONNECTIONS) {
                for (String test : List.of("SET", "GET")) {
                    loads.add(Load.redis(test, connections, pipeline, LOAD_PROCESSOR));
                }
            }
            measure(contestants, loads);
        }
    }

    private void measure(List<Contestant> contestants, List<Load> loads) throws IOException, InterruptedException {
        List<RunningServer> servers = new ArrayList<>();
        try {
            for (Contestant each : contestants) servers.add(RunningServer.start(each, SERVER_PROCESSOR));
            warmUp(servers, loads);
            for (Load load : loads) print(load, measure(servers, load));
        } finally {
            for (RunningServer each : servers) each.close();
        }
    }

    /** Every load on every server before any is measured: code for the life of a connection needs many of them to be compiled. */
    private void warmUp(List<RunningServer> servers, List<Load> loads) throws IOException, InterruptedException {
        for (Load load : loads) for (RunningServer each : servers) load.run(each.port(), warmUpSeconds);
    }

    private Map<RunningServer, Measured> measure(List<RunningServer> servers, Load load)
            throws IOException, InterruptedException {
        Map<RunningServer, Measured> found = new LinkedHashMap<>();
        for (RunningServer each : servers) found.put(each, new Measured());
        for (int round = 0; round < rounds; round++) {
            for (RunningServer each : round % 2 == 0 ? servers : servers.reversed()) {
                double before = each.cpuSeconds();
                long start = System.nanoTime();
                double rate = load.run(each.port(), seconds);
                double elapsed = (System.nanoTime() - start) / 1e9;
                double cpuMicros = (each.cpuSeconds() - before) * 1e6 / (rate * elapsed);
                Objects.requireNonNull(found.get(each)).add(rate, cpuMicros);
            }
        }
        return found;
    }

    private void print(Load load, Map<RunningServer, Measured> found) {
        out.println();
        out.println(String.format(
                "%-50s %10s %7s %7s  %-14s %8s", load.title(), "req/s", "spread", "ratio", "goal", "CPU"));
        Measured coir = found.values().iterator().next();
        found.forEach((server, measured) -> {
            Contestant contestant = server.contestant();
            double ratio = coir.over(measured);
            String goal = contestant.hasGoal()
                    ? String.format(
                            Locale.ROOT, ">= %.1f %s", contestant.goal(), ratio >= contestant.goal() ? "met" : "MISSED")
                    : "";
            out.println(String.format(
                    Locale.ROOT,
                    "  %-48s %,10.0f %6.0f%% %7s  %-14s %5.1f us",
                    contestant.label(),
                    measured.rate(),
                    100 * measured.spread(),
                    measured == coir ? "" : Double.isFinite(ratio) ? String.format(Locale.ROOT, "%.2f", ratio) : "none",
                    goal,
                    measured.cpuMicros()));
        });
        out.flush();
    }
}
