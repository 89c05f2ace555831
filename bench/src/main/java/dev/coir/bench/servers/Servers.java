package dev.coir.bench.servers;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
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
    private final ServerTable table;
    private final Pace pace;
    private final Pace shortPace;

    /**
     * How a load is measured.
     *
     * @param lives how often the servers are started for it: two JVMs of one server compile it differently, and differ for good
     * @param rounds in each life
     */
    private record Pace(int lives, int rounds, double seconds, int warmUps, double warmUpSeconds) {
        @Override
        public String toString() {
            String all = String.format(Locale.ROOT, "%d rounds of %.1f s", lives * rounds, seconds);
            return lives == 1 ? all : all + " over " + lives + " lives of each server";
        }
    }

    private Servers(PrintStream out, boolean quick) {
        this.out = out;
        table = new ServerTable(out);
        pace = quick ? new Pace(1, 2, 1, 1, 2) : new Pace(1, 5, 3, 1, 4);
        shortPace = quick ? new Pace(1, 3, 0.5, 8, 0.1) : new Pace(3, 9, 0.5, 30, 0.1);
    }

    /**
     * Measures and prints.
     *
     * @param out where to
     * @param quick whether a rough answer will do
     * @return 0, or 1 when something failed
     */
    public static int run(PrintStream out, boolean quick) {
        List<String> missing = Tools.missing("taskset", "wrk", "redis-benchmark", "redis-server", "go", "g++");
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
        if (!missing.containsAll(List.of("wrk", "g++"))) hello(folder, missing);
        if (!missing.contains("redis-benchmark")) redis(!missing.contains("redis-server"));
        table.explain(shortPace + " (lean load), " + pace + " (the others)");
    }

    private void hello(Path folder, List<String> missing) throws IOException, InterruptedException {
        List<Contestant> contestants = new ArrayList<>();
        contestants.add(Contestant.coir("Coir, light fibers", "http", "light"));
        contestants.add(Contestant.coir("Coir, virtual fibers", "http", "virtual"));
        if (!missing.contains("go")) {
            List<String> program = List.of(NativeHello.go(folder).toString(), Contestant.PORT);
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
        if (!missing.contains("g++")) {
            List<String> program = List.of(NativeHello.epoll(folder).toString(), Contestant.PORT);
            contestants.add(Contestant.floor("bare epoll, C", program));
        }
        List<Load> loads = new ArrayList<>();
        if (!missing.contains("g++")) {
            Path program = NativeHello.load(folder);
            for (int connections : CONNECTIONS) loads.add(Load.lean(program, connections, LOAD_PROCESSOR));
        }
        if (!missing.contains("wrk")) {
            for (int connections : CONNECTIONS) loads.add(Load.wrk(connections, LOAD_PROCESSOR));
        }
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
        Map<Load, Map<Contestant, Measured>> found = new LinkedHashMap<>();
        for (Load load : loads) found.put(load, measuredOf(contestants));
        int lives = loads.stream().mapToInt(each -> paceOf(each).lives).max().orElse(0);
        for (int life = lives; life > 0; life--) measureLife(contestants, found, life);
    }

    private static Map<Contestant, Measured> measuredOf(List<Contestant> contestants) {
        Map<Contestant, Measured> measured = new LinkedHashMap<>();
        for (Contestant each : contestants) measured.put(each, new Measured());
        return measured;
    }

    /** @param left how many lives are left, with this one: the loads that need so many are measured, and told of in the last */
    private void measureLife(List<Contestant> contestants, Map<Load, Map<Contestant, Measured>> found, int left)
            throws IOException, InterruptedException {
        List<Load> loads = found.keySet().stream()
                .filter(each -> paceOf(each).lives >= left)
                .toList();
        List<RunningServer> servers = new ArrayList<>();
        try {
            for (Contestant each : contestants) servers.add(RunningServer.start(each, SERVER_PROCESSOR));
            warmUp(servers, loads);
            for (Load load : loads) {
                Map<Contestant, Measured> measured = Objects.requireNonNull(found.get(load));
                measure(servers, load, (paceOf(load).lives - left) * paceOf(load).rounds, measured);
                if (left == 1) table.print(load.title(), load.judgesGoals(), measured);
            }
        } finally {
            for (RunningServer each : servers) each.close();
        }
    }

    /**
     * Every load on every server before any is measured, and some of them many times with new connections: the code for the life of
     * one is well compiled only after thousands of them. What is not lies on the stack of every connection, and in the way.
     */
    private void warmUp(List<RunningServer> servers, List<Load> loads) throws IOException, InterruptedException {
        for (Load load : loads) {
            Pace like = paceOf(load);
            for (RunningServer each : servers) {
                for (int i = 0; i < like.warmUps; i++) load.run(each.port(), like.warmUpSeconds);
            }
        }
    }

    private Pace paceOf(Load load) {
        return load.isForShortRounds() ? shortPace : pace;
    }

    /** Each pair of rounds begins with another, and every other round goes the other way round. */
    private static List<RunningServer> turned(List<RunningServer> servers, int round) {
        List<RunningServer> turned = new ArrayList<>(round % 2 == 0 ? servers : servers.reversed());
        Collections.rotate(turned, -round / 2);
        return turned;
    }

    private void measure(List<RunningServer> servers, Load load, int before, Map<Contestant, Measured> found)
            throws IOException, InterruptedException {
        for (int round = before; round < before + paceOf(load).rounds; round++) {
            for (RunningServer each : turned(servers, round)) {
                double cpuBefore = each.cpuSeconds();
                long start = System.nanoTime();
                Load.Run run = load.run(each.port(), paceOf(load).seconds);
                double elapsed = (System.nanoTime() - start) / 1e9;
                double cpuMicros = (each.cpuSeconds() - cpuBefore) * 1e6 / (run.rate() * elapsed);
                Objects.requireNonNull(found.get(each.contestant())).add(run, cpuMicros);
            }
        }
    }
}
