package dev.coir.bench.peers;

import dev.coir.bench.peers.SideProcess.SideFailed;
import dev.coir.bench.peers.Work.Dose;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Lets the sides of a work take turns. Each is a process of its own: a JVM's compilers decide once, early, and not always
 * alike, so there are several processes of each side (forks). Within a fork all sides warm up, one after the other; then
 * they take turns round by round, every second time in the opposite order, and whoever is not measured waits for its turn
 * without using a processor. Its caches are cold by then and its threads asleep, which would weigh on a short round; so in a full
 * run each round is led in by some that do not count. The sides of a big work, which do not fit into memory together, take turns fork by fork.
 */
final class Contest {
    /** What a contest tells about its progress. */
    interface Listener {
        void doing(Work work, Side side, int fork, String what);

        /** A process has done all its rounds. */
        void found(Work work, Result result, int fork, double figure);
    }

    /** How to get the process of a side. */
    interface Starter {
        boolean canRun(Contender contender);

        /** The command line. */
        List<String> of(Side side, Work work, Dose dose);
    }

    private static final int LEAD_IN_MILLIS = 60;

    private final Starter commands;
    private final boolean quick;
    private final int forks;
    private final Path logs;
    private final Listener listener;

    Contest(Starter commands, boolean quick, int forks, Path logs, Listener listener) {
        this.commands = commands;
        this.quick = quick;
        this.forks = forks;
        this.logs = logs;
        this.listener = listener;
    }

    /** The sides of a work that can take part. */
    List<Side> sides(Work work) {
        List<Side> wanted = quick ? work.quickSides() : work.sides();
        return wanted.stream().filter(each -> commands.canRun(each.contender())).toList();
    }

    /** Holds the contest; the results in the order of the table. */
    Map<Side, Result> hold(Work work) throws IOException {
        Map<Side, Result> results = new LinkedHashMap<>();
        for (Side each : sides(work)) {
            results.put(each, new Result(each, work.measures().size()));
        }
        for (int fork = 1; fork <= forks; fork++) {
            List<Result> running = new ArrayList<>(results.values());
            running.removeIf(each -> each.failure() != null);
            if (fork % 2 == 0) running = running.reversed();
            if (work.big()) {
                for (Result each : running) together(work, fork, List.of(each));
            } else {
                together(work, fork, running);
            }
        }
        return results;
    }

    private void together(Work work, int fork, List<Result> running) throws IOException {
        Dose dose = work.dose(quick);
        Map<Result, SideProcess> processes = new LinkedHashMap<>();
        try {
            for (Result each : running) {
                listener.doing(work, each.side(), fork, "warming up");
                processes.put(each, start(work, dose, each.side()));
                attempt(each, processes, process -> {
                    process.awaitReady();
                    if (dose.warmMillis() > 0)
                        process.warm(each.side().contender().isJvm() ? dose.warmMillis() : 1, work.warmOps(quick));
                });
            }
            for (int round = 0; round < dose.rounds(); round++) {
                List<Result> order = new ArrayList<>(processes.keySet());
                if (round % 2 == 1) order = order.reversed();
                for (Result each : order) {
                    listener.doing(work, each.side(), fork, "round " + (round + 1) + " of " + dose.rounds());
                    attempt(each, processes, process -> {
                        if (!quick && work.isLedIn()) process.warm(LEAD_IN_MILLIS, dose.ops());
                        each.addRound(process.round(dose.ops()));
                    });
                }
            }
            for (Result each : processes.keySet()) {
                List<Double> all = each.samples(0).all();
                List<Double> own = all.subList(all.size() - dose.rounds(), all.size());
                listener.found(work, each, fork, Samples.quantile(own, 0.5));
            }
            if (fork == 1 && work.countsBytes()) {
                for (Result each : List.copyOf(processes.keySet())) {
                    if (!each.side().contender().isJvm()) continue;
                    listener.doing(work, each.side(), fork, "counting bytes");
                    attempt(each, processes, process -> each.bytesPerOp(process.bytesPerOp(dose.ops())));
                }
            }
        } finally {
            processes.values().forEach(SideProcess::close);
        }
    }

    private interface Turn {
        void take(SideProcess process) throws SideFailed;
    }

    /** A side that fails leaves the contest; the others go on. */
    private static void attempt(Result result, Map<Result, SideProcess> processes, Turn turn) {
        SideProcess process = Objects.requireNonNull(processes.get(result));
        try {
            turn.take(process);
        } catch (SideFailed e) {
            result.failed(Objects.requireNonNull(e.getMessage()));
            processes.remove(result);
            process.close();
        }
    }

    private SideProcess start(Work work, Dose dose, Side side) throws IOException {
        Files.createDirectories(logs);
        String name = (work.id() + "-" + side.id()).replace('/', '-') + ".log";
        return new SideProcess(commands.of(side, work, dose), logs.resolve(name));
    }
}
