package app;

import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.internal.preempt.Preemption;
import dev.coir.internal.sched.Carrier;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** Finds out whether a piece of code gives way: its carrier is asked while another fiber is queued behind it. */
final class Preempted {
    private static final int ASKED = 20;
    private static final int ROUNDS = 3_000; // a loop without calls does not poll in every one

    private Preempted() {}

    /** Code that calls {@code point} where it is to be asked. */
    interface Body {
        void run(Runnable point) throws Exception;
    }

    /** Runs it in a fiber on one worker. @return whether another fiber ran while the body stood at its point */
    static boolean during(Fiber.Kind kind, Body body) {
        try (var scheduler = unwatched(1)) {
            return Fiber.builder()
                    .on(scheduler)
                    .kind(kind)
                    .start(() -> othersRan(body))
                    .join();
        }
    }

    /** A scheduler whose monitor asks nobody: time slices without end. */
    static Scheduler unwatched(int workers) {
        return Scheduler.builder()
                .workers(workers)
                .timeSlice(Duration.ofDays(1))
                .start();
    }

    private static boolean othersRan(Body body) throws Exception {
        var ran = new AtomicInteger();
        var ranAtThePoint = new AtomicInteger();
        var other = Fiber.builder().start(() -> ran.set(1));
        body.run(() -> {
            Carrier carrier = Objects.requireNonNull(Carrier.current());
            for (int i = 0; i < ASKED && ran.get() == 0; i++) {
                Preemption.ask(carrier);
                spin();
            }
            ranAtThePoint.set(ran.get());
        });
        other.join();
        return ranAtThePoint.get() == 1;
    }

    /** A loop with polls, and nothing else. */
    static int spin() {
        int x = 1;
        for (int i = 0; i != ROUNDS; i++) x = x * 31 + i;
        return x;
    }
}
