package dev.coir.bench.works;

import static dev.coir.bench.works.Round.millis;
import static dev.coir.bench.works.Round.nanosPerOp;

import dev.coir.channel.Channel;
import dev.coir.channel.Select;
import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.sync.Latch;
import dev.coir.sync.Mutex;
import dev.coir.sync.Semaphore;
import dev.coir.sync.WaitGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;

/** Coir's fibers of one kind, on a scheduler with default settings but for the number of workers. */
class CoirWorks implements Peer {
    private static final int PIPE = 100;
    private static final int WIDTH = 8;

    final Scheduler scheduler;
    private final Fiber.Kind kind;

    CoirWorks(Fiber.Kind kind, int workers) {
        this.kind = kind;
        this.scheduler = Scheduler.start(workers);
    }

    @Override
    public Round work(String name, int size) {
        return switch (name) {
            case "FiberYield" -> ops -> nanosPerOp(ops, () -> root(() -> yields(size, ops / size)));
            case "FiberPark" -> ops -> nanosPerOp(ops, () -> parkTrips(ops));
            case "ChannelRoundTrip" -> ops -> nanosPerOp(ops, () -> roundTrips(ops));
            case "ChannelPipeline" -> ops -> nanosPerOp(ops, () -> pipeline(ops));
            case "ChannelSelect" -> ops -> nanosPerOp(ops, () -> root(() -> selects(ops / 2)));
            case "FiberRing" -> ops -> nanosPerOp(ops, () -> root(() -> ring(size, ops / size)));
            case "FiberSpawn" -> ops -> nanosPerOp(ops, () -> root(() -> startAndJoin(ops, () -> {})));
            case "Skynet" -> ops -> millis(() -> root(() -> Trees.ensureSum(ops, skynet(0, ops))));
            case "ForkJoinTree" ->
                ops -> nanosPerOp((1L << size) - 1, () -> root(() -> Trees.ensureNodes(size, forkJoin(size))));
            case "NestedWait" ->
                ops -> nanosPerOp((long) ops * Trees.nodes(WIDTH, size), () -> root(() -> nestedWaits(size, ops)));
            case "MutexContended" -> ops -> nanosPerOp(ops, () -> root(() -> mutex(size, ops / size)));
            case "MutexAlone" -> ops -> nanosPerOp(ops, () -> root(() -> mutex(1, ops)));
            case "Timers" -> this::timers;
            case "WakeLatency" -> this::wakeLatency;
            case "StartLatency" -> this::startLatency;
            case "ParkedMemory" -> Parked.memory(this::park);
            case "IdleCpu" -> Parked.idleCpu(size, this::park);
            case "TaskTree" -> ops -> nanosPerOp((1L << size) - 1, () -> taskTree(size));
            default -> throw Peer.unknown(this, name);
        };
    }

    Fiber.Builder fibers() {
        return Fiber.builder().on(scheduler).kind(kind);
    }

    static Callable<Boolean> callable(Round.Body body) {
        return () -> {
            body.run();
            return true;
        };
    }

    /** Runs {@code body} in a fiber and waits for it. */
    private void root(Round.Body body) throws InterruptedException, ExecutionException {
        fibers().start(callable(body)).get();
    }

    private void yields(int fibers, int each) {
        startAndJoin(fibers, () -> {
            for (int i = 0; i < each; i++) Fiber.yield();
        });
    }

    private void startAndJoin(int fibers, Runnable body) {
        List<Fiber<?>> all = new ArrayList<>(fibers);
        Fiber.Builder builder = fibers();
        for (int i = 0; i < fibers; i++) all.add(builder.start(body));
        for (Fiber<?> each : all) each.join();
    }

    private void both(Round.Body one, Round.Body other) throws InterruptedException, ExecutionException {
        Fiber<?> first = fibers().start(callable(one));
        Fiber<?> second = fibers().start(callable(other));
        first.get();
        second.get();
    }

    /** LIGHT fibers have no thread to unpark, so they wake each other by semaphores. */
    void parkTrips(int trips) throws Exception {
        var ping = new Semaphore(0);
        var pong = new Semaphore(0);
        both(
                () -> {
                    for (int i = 0; i < trips; i++) {
                        pong.release();
                        ping.acquire();
                    }
                },
                () -> {
                    for (int i = 0; i < trips; i++) {
                        pong.acquire();
                        ping.release();
                    }
                });
    }

    private void roundTrips(int trips) throws Exception {
        Channel<Integer> there = Channel.rendezvous();
        Channel<Integer> back = Channel.rendezvous();
        both(
                () -> {
                    for (int i = 0; i < trips; i++) {
                        there.send(i);
                        back.receive();
                    }
                },
                () -> {
                    for (int i = 0; i < trips; i++) back.send(there.receive());
                });
    }

    private void pipeline(int values) throws Exception {
        Channel<Integer> channel = Channel.buffered(PIPE);
        both(
                () -> {
                    for (int i = 0; i < values; i++) channel.send(i);
                },
                () -> {
                    for (int i = 0; i < values; i++) channel.receive();
                });
    }

    private void selects(int each) throws InterruptedException {
        Channel<Integer> left = Channel.rendezvous();
        Channel<Integer> right = Channel.rendezvous();
        for (Channel<Integer> channel : List.of(left, right)) {
            fibers().start(callable(() -> {
                for (int i = 0; i < each; i++) channel.send(i);
            }));
        }
        var fromLeft = left.<Integer>onReceive(v -> v);
        var fromRight = right.<Integer>onReceive(v -> v);
        for (int i = 0; i < 2 * each; i++) Select.<Integer>select(fromLeft, fromRight);
    }

    private void ring(int fibers, int laps) throws InterruptedException {
        List<Channel<Integer>> links = new ArrayList<>();
        for (int i = 0; i < fibers; i++) links.add(Channel.rendezvous());
        List<Fiber<?>> all = new ArrayList<>();
        for (int i = 0; i < fibers; i++) {
            var in = links.get(i);
            var out = links.get((i + 1) % fibers);
            boolean last = i == fibers - 1;
            all.add(fibers().start(callable(() -> {
                for (int lap = 0; lap < laps; lap++) {
                    int token = in.receive();
                    if (!last || lap < laps - 1) out.send(token);
                }
            })));
        }
        links.getFirst().send(1);
        for (Fiber<?> each : all) each.join();
    }

    private long skynet(long number, int leaves) {
        if (leaves == 1) return number;
        List<Fiber<Long>> children = new ArrayList<>(10);
        int share = leaves / 10;
        for (int i = 0; i < 10; i++) {
            long first = number + (long) i * share;
            children.add(fibers().start(() -> skynet(first, share)));
        }
        long sum = 0;
        for (Fiber<Long> each : children) sum += each.join();
        return sum;
    }

    private int forkJoin(int depth) {
        if (depth == 1) return 1;
        Fiber<Integer> left = fibers().start(() -> forkJoin(depth - 1));
        Fiber<Integer> right = fibers().start(() -> forkJoin(depth - 1));
        return 1 + left.join() + right.join();
    }

    private void nestedWaits(int depth, int trees) throws InterruptedException {
        for (int i = 0; i < trees; i++) nestedWait(depth);
    }

    private void nestedWait(int depth) throws InterruptedException {
        if (depth == 0) return;
        var children = new WaitGroup(WIDTH);
        for (int i = 0; i < WIDTH; i++) {
            fibers().start(callable(() -> {
                nestedWait(depth - 1);
                children.done();
            }));
        }
        children.await();
    }

    private void mutex(int fibers, int each) {
        var mutex = new Mutex();
        var guarded = new Guarded();
        startAndJoin(fibers, () -> guarded.add(mutex, each));
        guarded.ensure((long) fibers * each);
    }

    private double[] timers(int fibers) throws InterruptedException {
        var timers = new Timers(fibers);
        fibers().start(() -> {
            Fiber.Builder builder = fibers();
            for (int i = 0; i < fibers; i++) {
                int number = i;
                builder.start(callable(() -> {
                    Fiber.sleep(Duration.ofNanos(timers.sleepNanos(number)));
                    timers.fired();
                }));
            }
        });
        return timers.await();
    }

    private double[] wakeLatency(int times) throws Exception {
        var latency = new Latency();
        var permit = new Semaphore(0);
        Fiber<?> woken = fibers().start(callable(() -> {
            for (int i = 0; i < times; i++) {
                permit.acquire();
                latency.arrived();
            }
        }));
        double[] found = latency.run(times, permit::release);
        woken.get();
        return found;
    }

    double[] startLatency(int times) {
        var latency = new Latency();
        return latency.run(times, () -> fibers().start(latency::arrived));
    }

    private Parked park(int fibers) throws InterruptedException {
        var gate = new Latch(1);
        var waiting = new CountDownLatch(fibers);
        var gone = new CountDownLatch(fibers);
        Callable<Boolean> body = callable(
                () -> { // one for all, or each fiber would be weighed with one of its own
                    waiting.countDown();
                    gate.await();
                    gone.countDown();
                });
        Fiber.Builder builder = fibers();
        fibers().start(() -> {
            for (int i = 0; i < fibers; i++) builder.start(body);
        });
        waiting.await();
        return () -> {
            gate.countDown();
            gone.await();
        };
    }

    /** A tree in which each starts two more; waits for the leaves, which are the last. */
    void taskTree(int depth) throws InterruptedException {
        var leaves = new CountDownLatch(1 << (depth - 1));
        fibers().start(() -> grow(depth, leaves));
        leaves.await();
    }

    private void grow(int depth, CountDownLatch leaves) {
        Burn.microsecond();
        if (depth == 1) {
            leaves.countDown();
        } else {
            fibers().start(() -> grow(depth - 1, leaves));
            fibers().start(() -> grow(depth - 1, leaves));
        }
    }
}
