package dev.coir.bench.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A load generator that runs on a processor of its own for a while, and what it says. */
abstract class Load {
    /**
     * What came of a run.
     *
     * @param rate requests per second
     * @param busy the share of its time for which the load generator itself had the processor: near 1 it is the limit, not
     *     the server
     */
    record Run(double rate, double busy) {}

    /**
     * What a program printed.
     *
     * @param text its words
     * @param busy as in {@link Run}
     */
    record Said(String text, double busy) {}

    private final String title;
    private final int processor;

    Load(String title, int processor) {
        this.title = title;
        this.processor = processor;
    }

    /** What the table calls it. */
    String title() {
        return title;
    }

    /** Whether goals are judged under this load: not by a generator that is the limit itself, with every server. */
    boolean judgesGoals() {
        return true;
    }

    /** Whether short rounds tell as much as long ones: then there are more of them. */
    boolean isForShortRounds() {
        return false;
    }

    /** Loads the server on a port for about so many seconds. */
    abstract Run run(int port, double seconds) throws IOException, InterruptedException;

    /** Runs a program on the load's processor. No other child of this process may end meanwhile: its time would be counted too. */
    final Said command(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("taskset", "-c", String.valueOf(processor)));
        command.addAll(List.of(words));
        double before = CpuTime.ofEndedChildren();
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0) throw new IOException(words[0] + " failed: " + text);
        double elapsed = (System.nanoTime() - start) / 1e9;
        return new Said(text, (CpuTime.ofEndedChildren() - before) / elapsed);
    }

    static double number(String said, Pattern pattern) throws IOException {
        Matcher matcher = pattern.matcher(said);
        if (!matcher.find()) throw new IOException("no rate in: " + said);
        return Double.parseDouble(matcher.group(1));
    }

    /** Requests for hello, each connection with one at a time, by a program that {@link NativeHello#load} has built. */
    static Load lean(Path program, int connections, int processor) {
        return new Load("Hello, " + connections + " connections, lean load", processor) {
            private static final Pattern RATE = Pattern.compile("^rate ([0-9.]+)$", Pattern.MULTILINE);

            @Override
            boolean isForShortRounds() {
                return true;
            }

            @Override
            Run run(int port, double seconds) throws IOException, InterruptedException {
                Said said = command(
                        program.toString(), String.valueOf(port), String.valueOf(connections), String.valueOf(seconds));
                return new Run(number(said.text(), RATE), said.busy());
            }
        };
    }

    /** The same by wrk. It parses answers and takes latencies, and needs about as much time for a request as a server. */
    static Load wrk(int connections, int processor) {
        return new Load("Hello, " + connections + " connections, wrk", processor) {
            private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");

            @Override
            boolean judgesGoals() {
                return false;
            }

            @Override
            Run run(int port, double seconds) throws IOException, InterruptedException {
                Said said = command(
                        "wrk",
                        "-t1",
                        "-c" + connections,
                        "-d" + Math.max(1, Math.round(seconds)) + "s",
                        "http://127.0.0.1:" + port + "/");
                String text = said.text();
                if (text.contains("Socket errors") || text.contains("Non-2xx")) {
                    throw new IOException("a server that makes mistakes: " + text);
                }
                double rate = number(text, RATE);
                if (rate == 0) throw new IOException("a server that does not answer: " + text);
                return new Run(rate, said.busy());
            }
        };
    }

    /** One of redis-benchmark's tests. */
    static Load redis(String test, int connections, int pipeline, int processor) {
        String title = "Redis " + test + ", " + connections + " connections"
                + (pipeline == 1 ? "" : ", pipelines of " + pipeline);
        return new Load(title, processor) {
            private static final Pattern RATE = Pattern.compile("\"[A-Z]+\",\"([0-9.]+)\"");
            private double expected = 50_000; // what the next run may hope for, so that it takes the time it is given

            @Override
            Run run(int port, double seconds) throws IOException, InterruptedException {
                long requests = Math.max(10_000, Math.round(expected * seconds));
                Said said = command(
                        "redis-benchmark",
                        "--csv",
                        "-h",
                        "127.0.0.1",
                        "-p",
                        String.valueOf(port),
                        "-t",
                        test.toLowerCase(Locale.ROOT),
                        "-c",
                        String.valueOf(connections),
                        "-P",
                        String.valueOf(pipeline),
                        "-r",
                        "100000",
                        "-n",
                        String.valueOf(requests));
                String text = said.text();
                if (text.contains("rror")) throw new IOException("a server that makes mistakes: " + text);
                expected = number(text, RATE);
                return new Run(expected, said.busy());
            }
        };
    }
}
