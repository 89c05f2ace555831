package dev.coir.testing;

import dev.coir.executor.Reports;
import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import java.util.concurrent.atomic.AtomicReference;

/** Two fibers that wait for each other, and a main thread that waits for one of them: prints the report and ends. */
public final class AllAsleep {
    private AllAsleep() {}

    public static void main(String[] args) {
        var scheduler = Scheduler.builder()
                .name("sleepy")
                .workers(1)
                .reports(new Reports() {
                    @Override
                    public void allAsleep(AllAsleep asleep) {
                        System.out.println(asleep);
                        Runtime.getRuntime().halt(7);
                    }
                })
                .start();
        var second = new AtomicReference<Fiber<Integer>>();
        Fiber<Integer> first = Fiber.builder()
                .on(scheduler)
                .name("first")
                .unstarted(() -> second.get().join());
        second.set(Fiber.builder().on(scheduler).name("second").unstarted(first::join));
        first.start();
        second.get().start();
        first.join();
    }
}
