package dev.coir.bench.agent;

import dev.coir.agent.CoirAgent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What do the agent's polls cost a program that only computes? Processor time of a run; baseline: the same program in a JVM
 * without the agent. Goals, for polls asleep: 3 % in the geometric mean of five programs, and no program more than 10 %.
 */
public final class AgentCost {
    /*
     * The JVMs of one program run side by side and compute in turn, for 25 ms each: what disturbs the machine then disturbs
     * all of them. A round gives one ratio for each; a fork (a fresh set of JVMs, in which the JIT may decide otherwise) the
     * median of its rounds; the table shows the median of the forks, and the least and the most of them.
     */
    /** What {@code --only} calls it. */
    public static final String NAME = "AgentCost";

    private static final int WARM_UPS = 8;
    private static final long WARM_UP_MILLIS = 200;
    private static final long ROUND_MILLIS = 25;
    private static final double START_SECONDS = 0.4;

    private final PrintStream out;
    private final int forks;
    private final int rounds;

    private AgentCost(PrintStream out, boolean quick, int forks) {
        this.out = out;
        this.forks = forks > 0 ? forks : quick ? 5 : 9;
        this.rounds = quick ? 16 : 30;
    }

    /**
     * Measures and prints.
     *
     * @param out where to
     * @param quick whether a rough answer will do
     * @param forks how many sets of JVMs; 0 for the default
     * @return 0; a JVM that fails is an exception
     * @throws IOException when one cannot be started, or ends too soon
     */
    public static int run(PrintStream out, boolean quick, int forks) throws IOException {
        new AgentCost(out, quick, forks).all();
        return 0;
    }

    private void all() throws IOException {
        double ofOne = START_SECONDS + (WARM_UPS * WARM_UP_MILLIS + rounds * ROUND_MILLIS) / 1e3;
        double seconds = Program.values().length * forks * Polls.values().length * ofOne;
        out.printf(Locale.ROOT, "five programs, %d sets of JVMs each, about %.0f seconds%n", forks, seconds);
        var table = new CostTable(out);
        for (Program program : Program.values()) {
            var costs = new Costs();
            for (int fork = 0; fork < forks; fork++) costs.addFork(measure(program, WARM_UPS, WARM_UP_MILLIS, rounds));
            table.add(program, costs);
        }
        table.end();
    }

    /** The figures of one set of JVMs, by round. */
    static Map<Polls, List<Double>> measure(Program program, int warmUps, long warmUpMillis, int rounds)
            throws IOException {
        Map<Polls, Process> jvms = new EnumMap<>(Polls.class);
        try {
            for (Polls each : Polls.values()) jvms.put(each, start(program, each));
            Map<Polls, BufferedReader> answers = new EnumMap<>(Polls.class);
            jvms.forEach((polls, jvm) -> answers.put(polls, jvm.inputReader(StandardCharsets.UTF_8)));
            for (int i = 0; i < warmUps; i++) turn(jvms, answers, warmUpMillis);
            Map<Polls, List<Double>> figures = new EnumMap<>(Polls.class);
            for (int i = 0; i < rounds; i++) {
                turn(jvms, answers, ROUND_MILLIS)
                        .forEach((polls, figure) -> figures.computeIfAbsent(polls, first -> new ArrayList<>())
                                .add(figure));
            }
            return figures;
        } finally {
            for (Process each : jvms.values()) each.destroy();
        }
    }

    private static Map<Polls, Double> turn(Map<Polls, Process> jvms, Map<Polls, BufferedReader> answers, long millis)
            throws IOException {
        Map<Polls, Double> figures = new EnumMap<>(Polls.class);
        for (Map.Entry<Polls, Process> each : jvms.entrySet()) {
            var to = each.getValue().outputWriter(StandardCharsets.UTF_8);
            to.write(millis + "\n");
            to.flush();
            BufferedReader from = answers.get(each.getKey());
            String line = from == null ? null : from.readLine();
            if (line == null) throw new IOException("the JVM " + each.getKey().label() + " ended without an answer");
            figures.put(each.getKey(), Double.parseDouble(line));
        }
        return figures;
    }

    private static Process start(Program program, Polls polls) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (polls != Polls.NONE) command.add("-javaagent:" + agentJar());
        command.addAll(
                List.of("-Xms256m", "-Xmx256m", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(ProgramProcess.class.getName(), program.name(), polls.name()));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String agentJar() {
        try {
            var place = CoirAgent.class.getProtectionDomain().getCodeSource().getLocation();
            return Path.of(place.toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
