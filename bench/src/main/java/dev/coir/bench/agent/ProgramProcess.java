package dev.coir.bench.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that runs one program whenever it is told to. For each line with a number of milliseconds it runs the program for
 * that much processor time, and answers with the processor time of one run, in nanoseconds. It ends when its input does.
 */
final class ProgramProcess {
    private static final long ASK_NANOS = 10_000_000;
    private static final long PENDING_NANOS = 100_000;

    @SuppressWarnings("UnusedVariable") // so that the JIT cannot leave the work out
    private static volatile @Nullable Object sink;

    private ProgramProcess() {}

    /**
     * The child's entry.
     *
     * @param args the program and what the polls do, by their names
     */
    public static void main(String[] args) throws IOException, ReflectiveOperationException {
        Supplier<@Nullable Object> program = Program.valueOf(args[0]).make();
        Polls polls = Polls.valueOf(args[1]);
        if (polls == Polls.AWAKE || polls == Polls.ASKED) {
            Class<?> poll = Class.forName("dev.coir.agent.boot.Poll", true, null);
            Method raise = poll.getMethod("raise");
            Method lower = poll.getMethod("lower");
            raise.invoke(null);
            lower.invoke(null);
            if (polls == Polls.ASKED) ask(raise, lower);
        }
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine())
            System.out.println(nanosPerRun(program, Long.parseLong(line)));
    }

    private static double nanosPerRun(Supplier<@Nullable Object> program, long millis) {
        var threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        long spent;
        int runs = 0;
        do {
            sink = program.get();
            runs++;
            spent = threads.getCurrentThreadCpuTime() - before;
        } while (spent < millis * 1_000_000);
        return spent / (double) runs;
    }

    /** Raises a request, and takes it back when every poll has had time to see it. */
    private static void ask(Method raise, Method lower) {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                while (true) {
                    raise.invoke(null);
                    LockSupport.parkNanos(PENDING_NANOS);
                    lower.invoke(null);
                    LockSupport.parkNanos(ASK_NANOS);
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
