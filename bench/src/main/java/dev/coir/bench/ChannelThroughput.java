package dev.coir.bench;

import dev.coir.channel.Channel;
import dev.coir.fiber.Fiber;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/**
 * What does a value cost that goes through a buffer of 100? ns per value, one sender and one receiver; baseline: the JDK's
 * virtual threads over ArrayBlockingQueue.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ChannelThroughput {
    private static final int VALUES = 100_000;
    private static final int CAPACITY = 100;

    static Comparison comparison() {
        return Comparison.of(ChannelThroughput.class, "Buffered channel (100), 2 workers")
                .baseline("virtualThreads", "virtual threads, ArrayBlockingQueue")
                .atMost(0.67, "virtualFibers", "VIRTUAL")
                .shown("virtualFibersOneWorker", "VIRTUAL, 1 worker")
                .shown("lightFibersOneWorker", "LIGHT, 1 worker");
    }

    @Benchmark
    @OperationsPerInvocation(VALUES)
    public void virtualThreads() throws InterruptedException {
        var queue = new ArrayBlockingQueue<Integer>(CAPACITY);
        Thread sender = Thread.startVirtualThread(Sides.unchecked(() -> {
            for (int i = 0; i < VALUES; i++) queue.put(i);
        }));
        Thread receiver = Thread.startVirtualThread(Sides.unchecked(() -> {
            for (int i = 0; i < VALUES; i++) queue.take();
        }));
        sender.join();
        receiver.join();
    }

    @Benchmark
    @OperationsPerInvocation(VALUES)
    public void virtualFibers(Crowds.Two on) throws Exception {
        pump(on, Fiber.Kind.VIRTUAL);
    }

    @Benchmark
    @OperationsPerInvocation(VALUES)
    public void virtualFibersOneWorker(Crowds.One on) throws Exception {
        pump(on, Fiber.Kind.VIRTUAL);
    }

    @Benchmark
    @OperationsPerInvocation(VALUES)
    public void lightFibersOneWorker(Crowds.One on) throws Exception {
        pump(on, Fiber.Kind.LIGHT);
    }

    private static void pump(Crowds.Running on, Fiber.Kind kind) throws Exception {
        Channel<Integer> channel = Channel.buffered(CAPACITY);
        Sides.run(
                on,
                kind,
                () -> {
                    for (int i = 0; i < VALUES; i++) channel.send(i);
                },
                () -> {
                    for (int i = 0; i < VALUES; i++) channel.receive();
                });
    }
}
