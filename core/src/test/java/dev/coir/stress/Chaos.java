package dev.coir.stress;

import dev.coir.executor.Binding;
import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.testing.Crowd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A crowd of fibers of both kinds, plain tasks and timers that does random things to a scheduler and keeps account of every
 * thing that was accepted. Waits point only from parent to child, so nothing in it waits for ever by itself.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what they do is counted
final class Chaos {
    /** How the scheduler is ended. */
    enum End {
        CLOSE,
        CLOSE_EARLY,
        SHUTDOWN_NOW
    }

    private static final int OUTSIDE_THREADS = 16;

    private final Scheduler scheduler;
    private final int groups;
    private final long seed;
    private final AtomicInteger budget;
    private final Queue<Ticket> tickets = new ConcurrentLinkedQueue<>();
    private final LongAdder refused = new LongAdder();

    /** One accepted thing. */
    private static final class Ticket {
        final String what;
        final AtomicInteger entered = new AtomicInteger();
        final AtomicInteger left = new AtomicInteger();
        volatile @Nullable Fiber<?> fiber;
        volatile boolean cancelAsked;

        Ticket(String what) {
            this.what = what;
        }

        String problem() {
            int in = entered.get();
            int out = left.get();
            if (in > 1) return "ran " + in + " times";
            if (in != out) return "was entered and not left";
            Fiber<?> started = fiber;
            if (started != null && !started.isDone()) return "is not done";
            if (started != null && started.status() != Fiber.Status.DONE) return "has not ended";
            if (in == 0 && !mayBeCancelled()) return "never ran";
            return "";
        }

        private boolean mayBeCancelled() {
            Fiber<?> started = fiber;
            return cancelAsked || (started != null && started.isCancelled());
        }

        @Override
        public String toString() {
            Fiber<?> started = fiber;
            return what + (started == null ? "" : " " + started);
        }
    }

    private Chaos(Scheduler scheduler, int groups, long seed, int size) {
        this.scheduler = scheduler;
        this.groups = groups;
        this.seed = seed;
        this.budget = new AtomicInteger(size);
    }

    /** The seed of this run: given, or a new one. */
    static long seed() {
        return Long.getLong("coir.seed", System.nanoTime());
    }

    static boolean isLongDose() {
        return "long".equals(System.getProperty("coir.dose", "short"));
    }

    /**
     * Lets a crowd loose on a scheduler, ends it and settles the accounts; fails with a dump when that takes too long.
     *
     * @param size how many things to start, about
     */
    static void run(Scheduler.Builder settings, int groups, long seed, int size, End end, Duration limit)
            throws Exception {
        Scheduler scheduler = settings.start();
        var chaos = new Chaos(scheduler, groups, seed, size);
        var all = new FutureTask<>(() -> {
            chaos.play(end);
            return null;
        });
        Thread.ofPlatform().daemon().name("chaos").start(all);
        try {
            all.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new AssertionError("not over after " + limit + ", seed " + seed + "\n" + chaos.dump(), late);
        } catch (ExecutionException failure) {
            throw new AssertionError("seed " + seed + ", " + scheduler, failure.getCause());
        }
    }

    private void play(End end) throws Exception {
        List<FutureTask<Void>> outside = new ArrayList<>();
        for (int i = 0; i < OUTSIDE_THREADS; i++) {
            var random = new SplittableRandom(seed + i);
            outside.add(Crowd.start("outside " + i, index -> {
                while (budget.get() > 0) {
                    if (end == End.CLOSE && random.nextInt(64) == 0) workAsBoundThread(random);
                    if (launch(random, 0) == null || random.nextInt(16) == 0) Thread.yield();
                }
            }));
        }
        if (end == End.CLOSE) {
            for (FutureTask<Void> each : outside) each.get();
            settle();
            if (!scheduler.awaitIdle(Duration.ofMinutes(5))) throw new AssertionError("not idle");
        } else {
            int half = budget.get() / 2;
            Crowd.until(() -> budget.get() <= half);
            if (end == End.SHUTDOWN_NOW) {
                for (Ticket each : tickets) each.cancelAsked = true;
                scheduler.shutdownNow();
            }
        }
        scheduler.close();
        for (FutureTask<Void> each : outside) each.get();
        if (end == End.SHUTDOWN_NOW) for (Ticket each : tickets) each.cancelAsked = true;
        int left = scheduler.stats().suspendedFibers();
        if (left != 0) throw new AssertionError(left + " suspended after close");
        for (Ticket each : tickets) {
            String problem = each.problem();
            if (!problem.isEmpty()) throw new AssertionError(each + " " + problem);
        }
    }

    /** Binds the calling thread, waits for a few fibers, and leaves. */
    @SuppressWarnings("try") // the binding is there to be closed
    private void workAsBoundThread(SplittableRandom random) {
        try (var binding = bindIfThereIsRoom()) {
            if (binding == null) return;
            for (int i = random.nextInt(8); i > 0; i--) {
                Ticket ticket = launch(random, 4);
                Fiber<?> fiber = ticket == null ? null : ticket.fiber;
                if (fiber == null) continue;
                if (random.nextBoolean()) joinQuietly(fiber);
                else timedGet(fiber, random);
            }
        } catch (InterruptedException ofATask) {
            Thread.onSpinWait(); // plain tasks interrupt their thread, and for a while it was this one
        }
    }

    private @Nullable Binding bindIfThereIsRoom() {
        try {
            return scheduler.bind();
        } catch (IllegalStateException full) {
            return null;
        }
    }

    /** Waits for all fibers, those included that come meanwhile, by joining them from here. */
    private void settle() {
        for (Ticket each : tickets) {
            Fiber<?> fiber = each.fiber;
            if (fiber != null) joinQuietly(fiber);
        }
    }

    /** Starts one random thing; null when it was refused or the budget is spent. */
    private @Nullable Ticket launch(SplittableRandom random, int depth) {
        if (budget.getAndDecrement() <= 0) return null;
        var own = random.split();
        int what = random.nextInt(20);
        var ticket = new Ticket(what < 2 ? "plain task" : what == 2 ? "timer" : "fiber");
        try {
            if (what < 2) {
                scheduler.execute(() -> plain(ticket, own));
            } else if (what == 2) {
                var timer = scheduler.schedule(() -> plain(ticket, own), Duration.ofNanos(random.nextInt(2_000_000)));
                if (random.nextInt(3) == 0 && timer.cancel()) ticket.cancelAsked = true;
            } else {
                Fiber.Builder builder = Fiber.builder()
                        .on(scheduler)
                        .kind(random.nextBoolean() ? Fiber.Kind.LIGHT : Fiber.Kind.VIRTUAL);
                if (random.nextInt(8) == 0) builder.local(true);
                if (random.nextInt(8) == 0) builder.group(random.nextInt(groups));
                Fiber<Integer> fiber = builder.unstarted((Callable<Integer>) () -> live(ticket, own, depth));
                ticket.fiber = fiber;
                fiber.start();
            }
        } catch (RejectedExecutionException closedOrFull) {
            refused.increment();
            return null;
        }
        tickets.add(ticket);
        return ticket;
    }

    private void plain(Ticket ticket, SplittableRandom random) {
        ticket.entered.incrementAndGet();
        try {
            switch (random.nextInt(12)) {
                case 0 -> Fiber.yield();
                case 1 -> launch(random, 8);
                case 2 -> Thread.currentThread().interrupt();
                case 3 -> {
                    Ticket child = launch(random, 8);
                    if (child != null && child.fiber != null) joinQuietly(child.fiber);
                }
                case 4 -> sleepQuietly(random);
                default -> {}
            }
        } finally {
            ticket.left.incrementAndGet();
        }
    }

    private int live(Ticket ticket, SplittableRandom random, int depth) throws Exception {
        ticket.entered.incrementAndGet();
        List<Fiber<?>> children = new ArrayList<>();
        try {
            for (int steps = random.nextInt(12); steps > 0; steps--) step(ticket, random, depth, children);
            return depth;
        } finally {
            for (Fiber<?> child : children) joinQuietly(child);
            ticket.left.incrementAndGet();
        }
    }

    private void step(Ticket ticket, SplittableRandom random, int depth, List<Fiber<?>> children) throws Exception {
        switch (random.nextInt(16)) {
            case 0, 1, 2, 3 -> Fiber.yield();
            case 4 -> Fiber.sleep(Duration.ofNanos(random.nextInt(2_000_000)));
            case 5, 6 -> {
                Ticket child = depth < 8 ? launch(random, depth + 1) : null;
                if (child != null && child.fiber != null) children.add(child.fiber);
            }
            case 7 -> {
                if (!children.isEmpty()) joinQuietly(children.removeLast());
            }
            case 8 -> {
                if (!children.isEmpty()) children.getLast().cancel(random.nextBoolean());
            }
            case 9 -> {
                var stage = new CompletableFuture<Integer>();
                scheduler.execute(() -> stage.complete(1));
                Fiber.await(stage);
            }
            case 10 -> {
                if (random.nextInt(8) == 0)
                    Fiber.blocking(() -> {
                        LockSupport.parkNanos(random.nextInt(500_000));
                        return 0;
                    });
            }
            case 11 -> parkAndBeWoken(ticket, random);
            case 12 -> startThreadInside(random);
            case 13 -> startAll(random, children);
            case 14 -> {
                if (!children.isEmpty()) timedGet(children.getLast(), random);
            }
            default -> Thread.onSpinWait();
        }
    }

    /** Parks as only virtual threads may; a plain task unparks it, before or after. */
    private void parkAndBeWoken(Ticket ticket, SplittableRandom random) {
        Thread thread = Thread.currentThread();
        if (!thread.isVirtual()) return;
        if (random.nextInt(4) == 0) {
            synchronized (ticket) {
                LockSupport.parkNanos(random.nextInt(200_000));
            }
            return;
        }
        scheduler.execute(() -> LockSupport.unpark(thread));
        LockSupport.park();
    }

    /** A virtual thread of the JDK that is started in a virtual fiber inherits its scheduler. */
    private static void startThreadInside(SplittableRandom random) throws InterruptedException {
        if (!Thread.currentThread().isVirtual()) return;
        int nanos = random.nextInt(300_000);
        Thread inside = Thread.startVirtualThread(() -> {
            Thread.yield();
            LockSupport.parkNanos(nanos);
        });
        if (random.nextBoolean()) Thread.sleep(Duration.ofNanos(nanos));
        inside.join();
    }

    private void startAll(SplittableRandom random, List<Fiber<?>> children) {
        List<Ticket> batch = new ArrayList<>();
        List<Callable<Integer>> bodies = new ArrayList<>();
        for (int i = random.nextInt(1, 5); i > 0; i--) {
            if (budget.getAndDecrement() <= 0) return;
            var own = random.split();
            var ticket = new Ticket("fiber of a batch");
            batch.add(ticket);
            bodies.add(() -> live(ticket, own, 8));
        }
        try {
            var kind = random.nextBoolean() ? Fiber.Kind.LIGHT : Fiber.Kind.VIRTUAL;
            List<Fiber<Integer>> started =
                    Fiber.builder().on(scheduler).kind(kind).startAll(bodies);
            for (int i = 0; i < batch.size(); i++) batch.get(i).fiber = started.get(i);
            children.addAll(started);
            tickets.addAll(batch);
        } catch (RejectedExecutionException closedOrFull) {
            refused.increment();
        }
    }

    private static void timedGet(Fiber<?> child, SplittableRandom random) throws InterruptedException {
        try {
            child.get(random.nextInt(200_000), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException | CancellationException expected) {
            Thread.onSpinWait();
        }
    }

    private static void sleepQuietly(SplittableRandom random) {
        try {
            Fiber.sleep(Duration.ofNanos(random.nextInt(500_000)));
        } catch (InterruptedException cut) {
            Thread.onSpinWait();
        }
    }

    private static void joinQuietly(Fiber<?> fiber) {
        try {
            fiber.join();
        } catch (CompletionException | CancellationException expected) {
            Thread.onSpinWait();
        }
    }

    /** All platform threads, the scheduler, and what is not over. */
    private String dump() {
        var text = new StringBuilder(scheduler.toString())
                .append('\n')
                .append(scheduler.stats())
                .append('\n');
        text.append(tickets.size()).append(" accepted, ").append(refused).append(" refused\n");
        int shown = 0;
        for (Ticket each : tickets) {
            String problem = each.problem();
            if (problem.isEmpty() || shown++ > 50) continue;
            text.append(each).append(' ').append(problem).append('\n');
            Fiber<?> fiber = each.fiber;
            if (fiber != null && fiber.thread().isPresent())
                append(text, fiber.thread().get().getStackTrace());
        }
        for (Map.Entry<Thread, StackTraceElement[]> each :
                Thread.getAllStackTraces().entrySet()) {
            text.append(each.getKey())
                    .append(' ')
                    .append(each.getKey().getState())
                    .append('\n');
            append(text, each.getValue());
        }
        return text.toString();
    }

    private static void append(StringBuilder text, StackTraceElement[] frames) {
        for (StackTraceElement frame : frames)
            text.append("    at ").append(frame).append('\n');
    }
}
