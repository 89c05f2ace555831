package dev.coir.examples;

import dev.coir.coro.Coroutine;
import java.util.Arrays;

/** What a switch costs, measured here and now. The bench module does it with more care. */
final class SwitchCost implements Section {
    private static final int SWITCHES = 200_000;
    private static final int WARM_UPS = 5;
    private static final int ROUNDS = 9;

    @Override
    public String name() {
        return "switch";
    }

    @Override
    public String title() {
        return "What a switch costs";
    }

    @Override
    public void run(Screen screen) throws InterruptedException {
        screen.say("""
                Leaving a stack and entering it again: a coroutine is entered straight by its caller;
                a virtual thread that yields goes through the JDK's scheduler.""");
        screen.gap();
        Coroutine coroutine = Coroutine.of(() -> {
            while (true) Coroutine.suspend();
        });
        for (int i = 0; i < WARM_UPS; i++) {
            coroutineNanos(coroutine);
            virtualThreadNanos();
        }
        double[] ours = new double[ROUNDS];
        double[] theirs = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            ours[i] = coroutineNanos(coroutine);
            theirs[i] = virtualThreadNanos();
        }
        double longest = Math.max(median(ours), median(theirs));
        screen.bar("coroutine: resume, suspend", median(ours), longest);
        screen.bar("virtual thread: Thread.yield", median(theirs), longest);
        screen.gap();
        screen.note("Median of " + ROUNDS + " rounds of " + Screen.count(SWITCHES) + " taken in turn; JDK "
                + System.getProperty("java.version") + ", " + System.getProperty("os.name") + " "
                + System.getProperty("os.arch") + ", " + Runtime.getRuntime().availableProcessors() + " processors.");
    }

    private static double coroutineNanos(Coroutine coroutine) {
        long start = System.nanoTime();
        for (int i = 0; i < SWITCHES; i++) coroutine.resume();
        return (System.nanoTime() - start) / (double) SWITCHES;
    }

    @SuppressWarnings("ThreadPriorityCheck") // the yield is what is measured
    private static double virtualThreadNanos() throws InterruptedException {
        long[] nanos = new long[1];
        Thread.startVirtualThread(() -> {
                    long start = System.nanoTime();
                    for (int i = 0; i < SWITCHES; i++) Thread.yield();
                    nanos[0] = System.nanoTime() - start;
                })
                .join();
        return nanos[0] / (double) SWITCHES;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
