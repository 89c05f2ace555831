package dev.coir.agent;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/** Methods to be woven: recursions of every shape, each as deep as it is told, by whose results one sees what they did. */
@SuppressWarnings({"EmptyBlockTag", "UnusedVariable", "InfiniteRecursion"})
public final class Recursions {
    private Recursions() {}

    public static int self(int n) {
        return n <= 0 ? 0 : 1 + self(n - 1);
    }

    public static int selfAtManyPlaces(int n) {
        if (n <= 0) return 1;
        if (n % 4 == 0) return 2 + selfAtManyPlaces(n - 1);
        if (n % 4 == 1) return 3 * selfAtManyPlaces(n - 1);
        return n % 4 == 2 ? -selfAtManyPlaces(n - 1) : ~selfAtManyPlaces(n - 1);
    }

    public static int selfInALoop(int n) {
        int sum = 1;
        for (int i = 0; i < Math.min(n, 1); i++) sum += selfInALoop(n - 1);
        return sum;
    }

    public static int two(int n) {
        return n <= 0 ? 0 : 1 + twoOther(n - 1);
    }

    private static int twoOther(int n) {
        return n <= 0 ? 0 : 2 * two(n - 1);
    }

    public static int three(int n) {
        return n <= 0 ? 0 : 1 + threeSecond(n - 1);
    }

    private static int threeSecond(int n) {
        return n <= 0 ? 1 : 2 * threeThird(n - 1);
    }

    private static int threeThird(int n) {
        return n <= 0 ? 2 : ~three(n - 1);
    }

    /** Two cycles that share a method, entered by turns: left, right, left ... */
    public static int crossing(int n) {
        return n <= 0 ? 0 : (n & 2) == 0 ? crossingLeft(n - 1) : crossingRight(n - 1);
    }

    private static int crossingLeft(int n) {
        return n <= 0 ? 1 : (n & 1) == 0 ? 3 + crossingLeft(n - 1) : crossing(n - 1);
    }

    private static int crossingRight(int n) {
        return n <= 0 ? 2 : (n & 4) == 0 ? 5 + crossingLeft(n - 1) : 7 + crossing(n - 1);
    }

    /** Whoever looks up and down at once. */
    public interface Step {
        int down(int n);
    }

    public static int throughAnInterface(int n) {
        Step even = new Even();
        return even.down(n);
    }

    static final class Even implements Step {
        @Override
        public int down(int n) {
            Step next = new Odd();
            return n <= 0 ? 0 : 1 + next.down(n - 1);
        }
    }

    static final class Odd implements Step {
        @Override
        public int down(int n) {
            Step next = new Even();
            return n <= 0 ? 0 : 2 * next.down(n - 1);
        }
    }

    public static int throughAnotherClass(int n) {
        return n <= 0 ? 0 : 1 + Other.back(n - 1);
    }

    static final class Other {
        private Other() {}

        static int back(int n) {
            return n <= 0 ? 1 : 3 + throughAnotherClass(n - 1);
        }
    }

    private static IntUnaryOperator kept = n -> n;

    public static int throughALambda(int n) {
        kept = each -> each <= 0 ? 0 : 1 + kept.applyAsInt(each - 1);
        return kept.applyAsInt(n);
    }

    public static int throughAMethodReference(int n) {
        IntUnaryOperator next = Recursions::throughAMethodReference;
        return n <= 0 ? 0 : 1 + next.applyAsInt(n - 1);
    }

    public static int throughACallbackOfTheJdk(int n) {
        if (n <= 0) return 0;
        int[] sum = {1};
        List.of(n - 1).forEach(each -> sum[0] += throughACallbackOfTheJdk(each));
        return sum[0];
    }

    public static int throughAMap(int n) {
        Map<Integer, Integer> known = new HashMap<>();
        return n <= 0 ? 0 : 1 + known.computeIfAbsent(n, each -> throughAMap(each - 1));
    }

    public static int throughConstructors(int n) {
        return new Chain(n).length;
    }

    static final class Chain {
        final int length;

        Chain(int n) {
            length = n <= 0 ? 0 : 1 + new Chain(n - 1).length;
        }
    }

    public static int throughTwoConstructors(int n) {
        return new Outer(n).depth;
    }

    static class Outer {
        int depth;

        Outer(int n) {
            if (n > 0) depth = 1 + new Inner(n - 1).depth;
        }
    }

    static final class Inner extends Outer {
        Inner(int n) {
            super(n);
        }
    }

    public static int throughSuper(int n) {
        return new Below().down(n);
    }

    static class Above {
        int down(int n) {
            return n <= 0 ? 0 : 1 + down(n - 1);
        }
    }

    static final class Below extends Above {
        @Override
        int down(int n) {
            return super.down(n);
        }
    }

    public static int throughABridge(int n) {
        return new Bridged().down(n);
    }

    abstract static class Generic<T> {
        abstract int down(T n);
    }

    static class Bridged extends Generic<Integer> {
        @Override
        int down(Integer n) {
            Generic<Integer> same = this;
            return n <= 0 ? 0 : 1 + same.down(n - 1);
        }
    }
}
