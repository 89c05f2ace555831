package dev.coir.bench.works;

import static dev.coir.bench.works.Round.millis;
import static dev.coir.bench.works.Round.nanosPerOp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The JDK's virtual threads with java.util.concurrent. The number of carriers is the flag
 * {@code jdk.virtualThreadScheduler.parallelism}, set by whoever starts the JVM.
 */
final class JdkWorks implements Peer {
    private static final int PIPE = 100;
    private static final int WIDTH = 8;

    @Override
    public Round work(String name, int size) {
        return switch (name) {
            case "FiberYield" -> ops -> nanosPerOp(ops, () -> root(() -> yields(size, ops / size)));
            case "FiberPark" -> ops -> nanosPerOp(ops, () -> parkTrips(ops));
            case "ChannelRoundTrip" -> ops -> nanosPerOp(ops, () -> roundTrips(ops));
            case "ChannelPipeline" -> ops -> nanosPerOp(ops, () -> pipeline(ops));
            case "FiberRing" -> ops -> nanosPerOp(ops, () -> ring(size, ops / size));
            case "FiberSpawn" -> ops -> nanosPerOp(ops, () -> root(() -> spawn(ops)));
            case "Skynet" -> ops -> millis(() -> root(() -> Trees.ensureSum(ops, skynet(0, ops))));
            case "ForkJoinTree" ->
                ops -> nanosPerOp((1L << size) - 1, () -> root(() -> Trees.ensureNodes(size, forkJoin(size))));
            case "NestedWait" ->
                ops -> nanosPerOp((long) ops * Trees.nodes(WIDTH, size), () -> root(() -> nestedWaits(size, ops)));
            case "MutexContended" -> ops -> nanosPerOp(ops, () -> root(() -> mutex(size, ops / size)));
            case "MutexAlone" -> ops -> nanosPerOp(ops, () -> root(() -> mutex(1, ops)));
            case "Timers" -> JdkWorks::timers;
            case "WakeLatency" -> JdkWorks::wakeLatency;
            case "StartLatency" -> JdkWorks::startLatency;
            case "ParkedMemory" -> Parked.memory(JdkWorks::park);
            case "IdleCpu" -> Parked.idleCpu(size, JdkWorks::park);
            case "TaskTree" -> ops -> nanosPerOp((1L << size) - 1, () -> taskTree(size));
            default -> throw Peer.unknown(this, name);
        };
    }

    /** Runs {@code body} in a virtual thread and waits for it. */
    static void root(Round.Body body) throws InterruptedException {
        Thread.startVirtualThread(unchecked(body)).join();
    }

    /** A body as threads take it. */
    static Runnable unchecked(Round.Body body) {
        return () -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
    }

    @SuppressWarnings("ThreadPriorityCheck") // the yield is what is measured
    private static void yields(int threads, int each) throws InterruptedException {
        startAndJoin(threads, () -> {
            for (int i = 0; i < each; i++) Thread.yield();
        });
    }

    private static void startAndJoin(int threads, Runnable body) throws InterruptedException {
        List<Thread> all = new ArrayList<>(threads);
        for (int i = 0; i < threads; i++) all.add(Thread.startVirtualThread(body));
        for (Thread each : all) each.join();
    }

    /** Runs both in threads of their own and waits for both. */
    static void both(Round.Body one, Round.Body other) throws InterruptedException {
        Thread first = Thread.startVirtualThread(unchecked(one));
        Thread second = Thread.startVirtualThread(unchecked(other));
        first.join();
        second.join();
    }

    private static void parkTrips(int trips) throws InterruptedException {
        var rally = new Rally(trips);
        Thread ping = Thread.ofVirtual().unstarted(rally::ping);
        Thread pong = Thread.ofVirtual().unstarted(rally::pong);
        rally.between(ping, pong);
        pong.start();
        ping.start();
        ping.join();
        pong.join();
    }

    private static void roundTrips(int trips) throws InterruptedException {
        BlockingQueue<Integer> there = new SynchronousQueue<>();
        BlockingQueue<Integer> back = new SynchronousQueue<>();
        both(
                () -> {
                    for (int i = 0; i < trips; i++) {
                        there.put(i);
                        back.take();
                    }
                },
                () -> {
                    for (int i = 0; i < trips; i++) back.put(there.take());
                });
    }

    private static void pipeline(int values) throws InterruptedException {
        var queue = new ArrayBlockingQueue<Integer>(PIPE);
        both(
                () -> {
                    for (int i = 0; i < values; i++) queue.put(i);
                },
                () -> {
                    for (int i = 0; i < values; i++) queue.take();
                });
    }

    private static void ring(int threads, int laps) throws InterruptedException {
        List<BlockingQueue<Integer>> links = new ArrayList<>();
        for (int i = 0; i < threads; i++) links.add(new SynchronousQueue<>());
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            var in = links.get(i);
            var out = links.get((i + 1) % threads);
            boolean last = i == threads - 1;
            all.add(Thread.startVirtualThread(unchecked(() -> {
                for (int lap = 0; lap < laps; lap++) {
                    int token = in.take();
                    if (!last || lap < laps - 1) out.put(token);
                }
            })));
        }
        links.getFirst().put(1);
        for (Thread each : all) each.join();
    }

    private static void spawn(int threads) throws InterruptedException {
        startAndJoin(threads, () -> {});
    }

    /** Lighter than an executor that starts a thread per task, which also keeps count of them. */
    private static <T> Future<T> fork(Callable<T> body) {
        var task = new FutureTask<>(body);
        Thread.startVirtualThread(task);
        return task;
    }

    private static long skynet(long number, int leaves) throws Exception {
        if (leaves == 1) return number;
        List<Future<Long>> children = new ArrayList<>(10);
        int share = leaves / 10;
        for (int i = 0; i < 10; i++) {
            long first = number + (long) i * share;
            children.add(fork(() -> skynet(first, share)));
        }
        long sum = 0;
        for (Future<Long> each : children) sum += each.get();
        return sum;
    }

    private static int forkJoin(int depth) throws Exception {
        if (depth == 1) return 1;
        Future<Integer> left = fork(() -> forkJoin(depth - 1));
        Future<Integer> right = fork(() -> forkJoin(depth - 1));
        return 1 + left.get() + right.get();
    }

    private static void nestedWaits(int depth, int trees) throws InterruptedException {
        for (int i = 0; i < trees; i++) nestedWait(depth);
    }

    private static void nestedWait(int depth) throws InterruptedException {
        if (depth == 0) return;
        var done = new CountDownLatch(WIDTH);
        for (int i = 0; i < WIDTH; i++) {
            Thread.startVirtualThread(unchecked(() -> {
                nestedWait(depth - 1);
                done.countDown();
            }));
        }
        done.await();
    }

    private static void mutex(int threads, int each) throws InterruptedException {
        var lock = new ReentrantLock();
        var guarded = new Guarded();
        startAndJoin(threads, () -> guarded.add(lock, each));
        guarded.ensure((long) threads * each);
    }

    private static double[] timers(int threads) throws InterruptedException {
        var timers = new Timers(threads);
        Thread.startVirtualThread(() -> {
            for (int i = 0; i < threads; i++) {
                int number = i;
                Thread.startVirtualThread(unchecked(() -> {
                    Thread.sleep(Duration.ofNanos(timers.sleepNanos(number)));
                    timers.fired();
                }));
            }
        });
        return timers.await();
    }

    private static double[] wakeLatency(int times) throws InterruptedException {
        var latency = new Latency();
        var permit = new Semaphore(0);
        Thread woken = Thread.startVirtualThread(unchecked(() -> {
            for (int i = 0; i < times; i++) {
                permit.acquire();
                latency.arrived();
            }
        }));
        double[] found = latency.run(times, permit::release);
        woken.join();
        return found;
    }

    private static double[] startLatency(int times) {
        var latency = new Latency();
        return latency.run(times, () -> Thread.startVirtualThread(latency::arrived));
    }

    private static Parked park(int threads) throws InterruptedException {
        var gate = new CountDownLatch(1);
        var waiting = new CountDownLatch(threads);
        var gone = new CountDownLatch(threads);
        Runnable body = unchecked(
                () -> { // one for all, or each thread would be weighed with one of its own
                    waiting.countDown();
                    gate.await();
                    gone.countDown();
                });
        for (int i = 0; i < threads; i++) Thread.startVirtualThread(body);
        waiting.await();
        return () -> {
            gate.countDown();
            gone.await();
        };
    }

    private static void taskTree(int depth) throws InterruptedException {
        var leaves = new CountDownLatch(1 << (depth - 1));
        Thread.startVirtualThread(() -> grow(depth, leaves));
        leaves.await();
    }

    private static void grow(int depth, CountDownLatch leaves) {
        Burn.microsecond();
        if (depth == 1) {
            leaves.countDown();
        } else {
            Thread.startVirtualThread(() -> grow(depth - 1, leaves));
            Thread.startVirtualThread(() -> grow(depth - 1, leaves));
        }
    }
}
