package dev.coir.bench;

import dev.coir.channel.Channel;
import dev.coir.fiber.Fiber;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/**
 * What does handing a value to a partner and getting one back cost? ns per round trip over two channels that hold nothing;
 * baseline: the JDK's virtual threads over SynchronousQueue.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ChannelRoundTrip {
    private static final int TRIPS = 20_000;

    static Comparison comparison() {
        return Comparison.of(ChannelRoundTrip.class, "Channel round trip, 2 workers")
                .baseline("virtualThreads", "virtual threads, SynchronousQueue")
                .atMost(0.35, "virtualFibers", "VIRTUAL")
                .shown("virtualFibersOneWorker", "VIRTUAL, 1 worker")
                .shown("lightFibersOneWorker", "LIGHT, 1 worker")
                .shown("selectOneWorker", "LIGHT, 1 worker, select of two");
    }

    @Benchmark
    @OperationsPerInvocation(TRIPS)
    public void virtualThreads() throws InterruptedException {
        BlockingQueue<Integer> there = new SynchronousQueue<>();
        BlockingQueue<Integer> back = new SynchronousQueue<>();
        Thread pong = Thread.startVirtualThread(Sides.unchecked(() -> {
            for (int i = 0; i < TRIPS; i++) back.put(there.take());
        }));
        Thread ping = Thread.startVirtualThread(Sides.unchecked(() -> {
            for (int i = 0; i < TRIPS; i++) {
                there.put(i);
                back.take();
            }
        }));
        ping.join();
        pong.join();
    }

    @Benchmark
    @OperationsPerInvocation(TRIPS)
    public void virtualFibers(Crowds.Two on) throws Exception {
        play(on, Fiber.Kind.VIRTUAL);
    }

    @Benchmark
    @OperationsPerInvocation(TRIPS)
    public void virtualFibersOneWorker(Crowds.One on) throws Exception {
        play(on, Fiber.Kind.VIRTUAL);
    }

    @Benchmark
    @OperationsPerInvocation(TRIPS)
    public void lightFibersOneWorker(Crowds.One on) throws Exception {
        play(on, Fiber.Kind.LIGHT);
    }

    private static void play(Crowds.Running on, Fiber.Kind kind) throws Exception {
        Channel<Integer> there = Channel.rendezvous();
        Channel<Integer> back = Channel.rendezvous();
        Sides.run(
                on,
                kind,
                () -> {
                    for (int i = 0; i < TRIPS; i++) {
                        there.send(i);
                        back.receive();
                    }
                },
                () -> {
                    for (int i = 0; i < TRIPS; i++) back.send(there.receive());
                });
    }

    @Benchmark
    @OperationsPerInvocation(TRIPS)
    public void selectOneWorker(Crowds.One on) throws Exception {
        Channel<Integer> there = Channel.rendezvous();
        Channel<Integer> back = Channel.rendezvous();
        Channel<Integer> never = Channel.rendezvous();
        var returned = back.<Integer>onReceive(v -> v);
        var served = there.<Integer>onReceive(v -> v);
        var nothing = never.<Integer>onReceive(v -> v);
        Sides.run(
                on,
                Fiber.Kind.LIGHT,
                () -> {
                    for (int i = 0; i < TRIPS; i++) {
                        there.send(i);
                        Sides.select(returned, nothing);
                    }
                },
                () -> {
                    for (int i = 0; i < TRIPS; i++) back.send(Sides.select(nothing, served));
                });
    }
}
