package dev.coir.testing;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Some fibers use up the heap again and again, while others yield and sleep. For FullHeapTest. */
public final class FullHeap {
    private static final int HOGS = 4;
    private static final int OTHERS = 300;
    private static final long FULL_NANOS = 2_000_000_000;
    private static volatile boolean begun;
    private static volatile boolean enough;

    @SuppressWarnings("UnusedVariable") // held, not read
    private static volatile byte @Nullable [] reserve; // for who looks on, when it is over

    private static int refused; // raced: a hint

    private FullHeap() {}

    /**
     * Prints how many fibers have not ended.
     *
     * @param args the kind of the fibers
     */
    public static void main(String[] args) throws Exception {
        var kind = Fiber.Kind.valueOf(args[0]);
        var scheduler = Scheduler.builder()
                .workers(2)
                .uncaughtHandler((thread, failure) -> {})
                .start();
        List<Fiber<?>> all = new ArrayList<>();
        Fiber.Builder builder = Fiber.builder().on(scheduler).kind(kind);
        for (int i = 0; i < OTHERS; i++) {
            int pause = i % 3;
            all.add(builder.start(() -> goOn(pause)));
        }
        for (int i = 0; i < HOGS; i++) all.add(builder.start(FullHeap::useUp));
        reserve = new byte[6 << 20];
        begun = true; // not before: a class whose loading found no memory is lost for good
        long end = System.nanoTime() + FULL_NANOS;
        while (System.nanoTime() - end < 0 || refused == 0) LockSupport.parkNanos(1_000_000);
        enough = true;
        reserve = null;
        System.out.println("stuck: " + stuck(all));
        Runtime.getRuntime().halt(0);
    }

    private static int stuck(List<Fiber<?>> all) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        int stuck = 0;
        for (Fiber<?> each : all) {
            try {
                each.get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (ExecutionException ended) { // for want of memory: it has ended
            } catch (TimeoutException lost) {
                stuck++;
            }
        }
        return stuck;
    }

    private static boolean goOn(int pauseMillis) throws InterruptedException {
        while (!enough) {
            try {
                if (pauseMillis == 0) Fiber.yield();
                else Fiber.sleep(Duration.ofMillis(pauseMillis));
            } catch (OutOfMemoryError full) {
                refused++;
            }
        }
        return true;
    }

    private static boolean useUp() {
        while (!begun) Fiber.yield();
        while (!enough) {
            try {
                List<byte[]> kept = new ArrayList<>();
                while (!enough) {
                    kept.add(new byte[100 + kept.size() * 7919 % 100_000]);
                    if (kept.size() % 50 == 0) Fiber.yield();
                }
            } catch (OutOfMemoryError full) {
                refused++;
            }
        }
        return true;
    }
}
