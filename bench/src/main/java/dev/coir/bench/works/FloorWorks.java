package dev.coir.bench.works;

import static dev.coir.bench.works.Round.nanosPerOp;

import java.util.ArrayList;
import java.util.List;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;

/** Bare continuations of the JDK in a loop, with no scheduler at all: nothing on this JVM can be much faster. */
final class FloorWorks implements Peer {
    private static final ContinuationScope SCOPE = new ContinuationScope("floor");

    @Override
    public Round work(String name, int size) {
        return switch (name) {
            case "FiberYield" -> ops -> nanosPerOp(ops, () -> yields(size, ops / size));
            case "FiberSpawn" -> ops -> nanosPerOp(ops, () -> spawn(ops));
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
