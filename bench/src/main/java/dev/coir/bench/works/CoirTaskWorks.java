package dev.coir.bench.works;

import static dev.coir.bench.works.Round.nanosPerOp;

import dev.coir.executor.Scheduler;
import java.util.concurrent.CountDownLatch;

/** Coir's scheduler as a plain executor: tasks that never wait and need no fiber. */
final class CoirTaskWorks implements Peer {
    private final Scheduler scheduler;

    CoirTaskWorks(int workers) {
        scheduler = Scheduler.start(workers);
    }

    @Override
    public Round work(String name, int size) {
        return switch (name) {
            case "TaskTree" -> ops -> nanosPerOp((1L << size) - 1, () -> taskTree(size));
            case "StartLatency" -> this::startLatency;
            default -> throw Peer.unknown(this, name);
        };
    }

    private double[] startLatency(int times) {
        var latency = new Latency();
        return latency.run(times, () -> scheduler.execute(latency::arrived));
    }

    private void taskTree(int depth) throws InterruptedException {
        var leaves = new CountDownLatch(1 << (depth - 1));
        scheduler.execute(() -> grow(depth, leaves));
        leaves.await();
    }

    private void grow(int depth, CountDownLatch leaves) {
        Burn.microsecond();
        if (depth == 1) {
            leaves.countDown();
        } else {
            scheduler.execute(() -> grow(depth - 1, leaves));
            scheduler.execute(() -> grow(depth - 1, leaves));
        }
    }
}
