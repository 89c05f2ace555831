package dev.coir.bench.works;

import static dev.coir.bench.works.Round.nanosPerOp;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;

/** Bare continuations of the JDK in a loop, with no scheduler at all: nothing on this JVM can be much faster. */
final class FloorWorks implements Peer {
    private static final ContinuationScope SCOPE = new ContinuationScope("floor");

    @Override
    public Round work(String name, int size) {
        return switch (name) {
            case "FiberYield" -> ops -> nanosPerOp(ops, () -> yields(size, ops / size));
            case "FiberPark", "ChannelRoundTrip" -> ops -> nanosPerOp(ops, () -> passes(ops));
            case "FiberSpawn" -> ops -> nanosPerOp(ops, () -> spawn(ops));
            case "WakeLatency", "StartLatency" -> FloorWorks::latency;
            case "ParkedMemory" -> Parked.memory(FloorWorks::park);
            default -> throw Peer.unknown(this, name);
        };
    }

    private static void yields(int continuations, int each) {
        Continuation[] crowd = new Continuation[continuations];
        for (int i = 0; i < continuations; i++) {
            crowd[i] = new Continuation(SCOPE, () -> {
                for (int n = 0; n < each; n++) Continuation.yield(SCOPE);
            });
        }
        for (int n = 0; n <= each; n++) {
            for (Continuation one : crowd) one.run();
        }
    }

    /** Two that hand a number to and fro: a round trip is two switches, and there is nothing else in it. */
    private static void passes(int trips) {
        int[] ball = {0};
        var ping = new Continuation(SCOPE, () -> {
            for (int i = 0; i < trips; i++) {
                ball[0]++;
                Continuation.yield(SCOPE);
            }
        });
        var pong = new Continuation(SCOPE, () -> {
            for (int i = 0; i < trips; i++) {
                ball[0]++;
                Continuation.yield(SCOPE);
            }
        });
        for (int i = 0; i < trips; i++) {
            ping.run();
            pong.run();
        }
        if (ball[0] != 2 * trips) throw new AssertionError(ball[0] + " passes in " + trips + " round trips");
    }

    /** No fiber: a thread that is parked by itself, so what is left is the JVM's and the system's. */
    private static double[] latency(int times) throws InterruptedException {
        var latency = new Latency();
        var sent = new AtomicInteger();
        var sleeper = new Thread(() -> {
            for (int i = 0; i < times; i++) {
                while (sent.get() == i) LockSupport.park();
                latency.arrived();
            }
        });
        sleeper.start();
        double[] found = latency.run(times, () -> {
            sent.incrementAndGet();
            LockSupport.unpark(sleeper);
        });
        sleeper.join();
        return found;
    }

    private static void spawn(int continuations) {
        for (int i = 0; i < continuations; i++) new Continuation(SCOPE, () -> {}).run();
    }

    private static Parked park(int continuations) {
        List<Continuation> crowd = new ArrayList<>(continuations);
        for (int i = 0; i < continuations; i++) {
            var one = new Continuation(SCOPE, () -> Continuation.yield(SCOPE));
            one.run();
            crowd.add(one);
        }
        return () -> crowd.forEach(Continuation::run);
    }
}
