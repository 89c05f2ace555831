package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** The mistake: nodes are used again, so a top that compares equal may have another rest by now (ABA). */
public final class StackOfReusedNodes {
    private static final class Node {
        volatile int value;
        volatile @Nullable Node rest;
    }

    private final AtomicReference<@Nullable Node> top = new AtomicReference<>();
    private final AtomicReference<@Nullable Node> spare = new AtomicReference<>();

    public void push(int value) {
        Node node = spare.getAndSet(null);
        if (node == null) node = new Node();
        node.value = value;
        Node seen;
        do {
            seen = top.get();
            node.rest = seen;
        } while (!top.compareAndSet(seen, node));
    }

    /** The value on top, or 0. */
    public int pop() {
        return pop(0);
    }

    /** Likewise, by a thread that is stopped for a while where it hurts most. */
    int pop(int pauses) {
        while (true) {
            Node seen = top.get();
            if (seen == null) return 0;
            int value = seen.value;
            Node rest = seen.rest;
            for (int i = 0; i < pauses; i++) Thread.onSpinWait();
            if (!top.compareAndSet(seen, rest)) continue;
            spare.compareAndSet(null, seen);
            return value;
        }
    }

    /** LockFreeStackStress.PushedBack, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"21, 3, 2", "31, 2, 3", "32, 1, 3", "32, 3, 1"},
            expect = ACCEPTABLE,
            desc = "each value once")
    @Outcome(expect = FORBIDDEN, desc = "a value lost or popped twice")
    @State
    public static class Planted {
        private final StackOfReusedNodes stack = new StackOfReusedNodes();

        public Planted() {
            for (int i = 1; i <= 3; i++) stack.push(i);
        }

        @Actor
        public void pushesBack(III_Result r) {
            int first = stack.pop();
            int second = stack.pop();
            stack.push(first);
            r.r1 = 10 * first + second;
        }

        @Actor
        public void popper(III_Result r) {
            r.r2 = stack.pop(10);
        }

        @Arbiter
        public void rest(III_Result r) {
            int digits = 0;
            for (int each = stack.pop(); each != 0 && digits < 100; each = stack.pop()) digits = 10 * digits + each;
            r.r3 = digits;
        }
    }
}
