package dev.coir.bench.micro;

import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;

/** The JDK's bare continuation, used as directly as it can be: the floor under coroutines and generators. */
final class Naked {
    private static final ContinuationScope SCOPE = new ContinuationScope("naked");

    private Naked() {}

    /** A continuation that does nothing but suspend, for ever. */
    static Continuation loop() {
        return new Continuation(SCOPE, () -> {
            while (true) suspend();
        });
    }

    /** A continuation that counts upwards, and leaves each number in a slot before it suspends. */
    static final class Counter {
        private final Continuation continuation = new Continuation(SCOPE, this::count);
        private int slot;

        /** The next number. */
        Integer next() {
            continuation.run();
            return slot;
        }

        private void count() {
            for (int n = 0; ; n++) {
                slot = n;
                suspend();
            }
        }
    }

    private static void suspend() {
        Continuation.yield(SCOPE);
    }
}
