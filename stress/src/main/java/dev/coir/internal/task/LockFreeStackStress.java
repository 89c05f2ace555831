package dev.coir.internal.task;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** {@link LockFreeStack}: each value comes out once, with what was written before it went in. */
public final class LockFreeStackStress {
    private LockFreeStackStress() {}

    private static LockFreeStack<Integer> stack(int values) {
        var stack = new LockFreeStack<Integer>();
        for (int i = 1; i <= values; i++) stack.push(i);
        return stack;
    }

    private static int pop(LockFreeStack<Integer> stack) {
        Integer value = stack.pop();
        return value == null ? 0 : value;
    }

    private static int popAll(LockFreeStack<Integer> stack) {
        int digits = 0;
        for (int each = pop(stack); each != 0; each = pop(stack)) digits = 10 * digits + each;
        return digits;
    }

    /** Two pop: do they get different values? */
    @JCStressTest
    @Outcome(
            id = {"3, 2, 1", "2, 3, 1"},
            expect = ACCEPTABLE,
            desc = "one after the other")
    @Outcome(expect = FORBIDDEN, desc = "a value lost or popped twice")
    @State
    public static class PopAgainstPop {
        private final LockFreeStack<Integer> stack = stack(3);

        @Actor
        public void first(III_Result r) {
            r.r1 = pop(stack);
        }

        @Actor
        public void second(III_Result r) {
            r.r2 = pop(stack);
        }

        @Arbiter
        public void rest(III_Result r) {
            r.r3 = popAll(stack);
        }
    }

    /** One pushes while one pops: is nothing lost? */
    @JCStressTest
    @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "popped first")
    @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "pushed first")
    @Outcome(expect = FORBIDDEN, desc = "a value lost or popped twice")
    @State
    public static class PushAgainstPop {
        private final LockFreeStack<Integer> stack = stack(1);

        @Actor
        public void pusher() {
            stack.push(2);
        }

        @Actor
        public void popper(II_Result r) {
            r.r1 = pop(stack);
        }

        @Arbiter
        public void rest(II_Result r) {
            r.r2 = popAll(stack);
        }
    }

    /** Two push: are both there? */
    @JCStressTest
    @Outcome(
            id = {"12", "21"},
            expect = ACCEPTABLE,
            desc = "one on top of the other")
    @Outcome(expect = FORBIDDEN, desc = "a value lost or doubled")
    @State
    public static class PushAgainstPush {
        private final LockFreeStack<Integer> stack = new LockFreeStack<>();

        @Actor
        public void first() {
            stack.push(1);
        }

        @Actor
        public void second() {
            stack.push(2);
        }

        @Arbiter
        public void rest(I_Result r) {
            r.r1 = popAll(stack);
        }
    }

    /** S1. One pops two and pushes the first back while another pops: does the other ever bring back the second? */
    @JCStressTest
    @Outcome(
            id = {"21, 3, 2", "31, 2, 3", "32, 1, 3", "32, 3, 1"},
            expect = ACCEPTABLE,
            desc = "each value once")
    @Outcome(expect = FORBIDDEN, desc = "a value lost or popped twice")
    @State
    public static class PushedBack {
        private final LockFreeStack<Integer> stack = stack(3);

        @Actor
        public void pushesBack(III_Result r) {
            int first = pop(stack);
            int second = pop(stack);
            stack.push(first);
            r.r1 = 10 * first + second;
        }

        @Actor
        public void popper(III_Result r) {
            r.r2 = pop(stack);
        }

        @Arbiter
        public void rest(III_Result r) {
            r.r3 = popAll(stack);
        }
    }

    /** Does the popper see what the pusher wrote before it pushed? */
    @JCStressTest
    @Outcome(id = "-1", expect = ACCEPTABLE, desc = "not pushed yet")
    @Outcome(id = "7", expect = ACCEPTABLE, desc = "pushed and seen")
    @Outcome(expect = FORBIDDEN, desc = "popped without what it carries")
    @State
    public static class Publication {
        private final LockFreeStack<Numbered> stack = new LockFreeStack<>();
        private final Numbered value = new Numbered(1);

        @Actor
        public void pusher() {
            value.payload = 7;
            stack.push(value);
        }

        @Actor
        public void popper(I_Result r) {
            Numbered popped = stack.pop();
            r.r1 = popped == null ? -1 : popped.payload;
        }
    }
}
