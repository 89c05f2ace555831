package dev.coir.bench;

import dev.coir.fiber.Fiber;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/**
 * What does waking a partner and waiting for its answer cost? ns per round trip of park and unpark, two threads underneath;
 * baseline: the JDK's virtual threads.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FiberPark {
    private static final int TRIPS = 20_000;

    static Comparison comparison() {
        return Comparison.of(FiberPark.class, "Park and unpark round trip, 2 workers")
                .baseline("virtualThreads", "virtual threads of the JDK")
                .atMost(0.35, "virtualFibers", "VIRTUAL")
                .shown("oneWorker", "VIRTUAL, 1 worker");
    }

    @Benchmark
    @OperationsPerInvocation(TRIPS)
    public void virtualThreads() throws InterruptedException {
        var rally = new Rally();
        Thread pong = Thread.ofVirtual().unstarted(rally::pong);
        Thread ping = Thread.ofVirtual().unstarted(rally::ping);
        rally.play(ping, pong);
        pong.start();
        ping.start();
        ping.join();
        pong.join();
    }

    @Benchmark
    @OperationsPerInvocation(TRIPS)
    public void virtualFibers(Crowds.Two on) {
        play(on);
    }

    @Benchmark
    @OperationsPerInvocation(TRIPS)
    public void oneWorker(Crowds.One on) {
        play(on);
    }

    private static void play(Crowds.Running on) {
        var rally = new Rally();
        var ping = Fiber.builder().on(on.scheduler).unstarted(rally::ping);
        var pong = Fiber.builder().on(on.scheduler).unstarted(rally::pong);
        rally.play(ping.thread().orElseThrow(), pong.thread().orElseThrow());
        pong.start();
        ping.start();
        ping.join();
        pong.join();
    }

    /** A ball that two threads pass to and fro. */
    private static final class Rally {
        private @Nullable Thread ping; // set before either starts
        private @Nullable Thread pong;
        private volatile int ball; // even: ping's

        void play(Thread ping, Thread pong) {
            this.ping = ping;
            this.pong = pong;
        }

        void ping() {
            for (int i = 0; i < TRIPS; i++) {
                ball = 2 * i + 1;
                LockSupport.unpark(pong);
                while (ball != 2 * i + 2) LockSupport.park();
            }
        }

        void pong() {
            for (int i = 0; i < TRIPS; i++) {
                while (ball != 2 * i + 1) LockSupport.park();
                ball = 2 * i + 2;
                LockSupport.unpark(ping);
            }
        }
    }
}
