package dev.coir.bench.works;

import com.sun.management.ThreadMXBean;
import dev.coir.fiber.Fiber;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * One side of the comparison: does one work of one system, a round at each command. Between commands it waits for the next
 * one and uses no processor. The sides written in other languages speak the same protocol.
 *
 * <pre>
 *   started with        SYSTEM WORKERS WORK SIZE       answers  ready
 *   warm MILLIS OPS     rounds for that long           answers  warmed ROUNDS
 *   round OPS           one round                      answers  figures F...
 *   bytes OPS           what an operation allocates    answers  bytes B
 * </pre>
 *
 * The end of the input ends it. What goes wrong goes to the error output, and ends it as well.
 */
public final class Child {
    private static final int LEAST_WARM_ROUNDS = 2;

    private final Round round;
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Child(Round round) {
        this.round = round;
    }

    /**
     * The program.
     *
     * @param args system, workers, work, size
     */
    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err); // only answers go to the parent
        Round round = peer(args[0], Integer.parseInt(args[1])).work(args[2], Integer.parseInt(args[3]));
        out.println("ready");
        new Child(round).serve(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)), out);
        System.exit(0);
    }

    /** The system by the name that the parent knows it by. */
    static Peer peer(String system, int workers) throws ReflectiveOperationException {
        return switch (system) {
            case "coir-virtual" -> new CoirVirtualWorks(workers);
            case "coir-light" -> new CoirWorks(Fiber.Kind.LIGHT, workers);
            case "coir-task" -> new CoirTaskWorks(workers);
            case "jdk" -> new JdkWorks();
            case "jox" -> new JoxWorks();
            case "kotlin" -> new KotlinWorks();
            case "floor" -> new FloorWorks();
            default -> throw new IllegalArgumentException("no system " + system);
        };
    }

    private void serve(BufferedReader in, PrintStream out) throws Exception {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "warm" -> out.println("warmed " + warm(Integer.parseInt(words[1]), Integer.parseInt(words[2])));
                case "round" -> out.println("figures " + written(round.run(Integer.parseInt(words[1]))));
                case "bytes" -> out.println("bytes " + bytesPerOp(Integer.parseInt(words[1])));
                default -> throw new IOException("no command " + line);
            }
        }
    }

    private int warm(int millis, int ops) throws Exception {
        long end = System.nanoTime() + millis * 1_000_000L;
        int rounds = 0;
        Latency.warmUp(true);
        while (rounds < LEAST_WARM_ROUNDS || System.nanoTime() < end) {
            round.run(ops);
            rounds++;
        }
        Latency.warmUp(false);
        return rounds;
    }

    private static String written(double[] figures) {
        return Arrays.stream(figures).mapToObj(Double::toString).collect(Collectors.joining(" "));
    }

    /** The difference between a short and a long round, so that what is made once per round does not count. */
    private double bytesPerOp(int ops) throws Exception {
        long once = allocatedBy(ops);
        long twice = allocatedBy(2 * ops);
        return (twice - once) / (double) ops;
    }

    private long allocatedBy(int ops) throws Exception {
        long before = threads.getTotalThreadAllocatedBytes();
        round.run(ops);
        return threads.getTotalThreadAllocatedBytes() - before;
    }
}
