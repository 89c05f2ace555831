package dev.coir.agent;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Methods to be woven: loops of every shape, each of which tells by its result whether it still does what it did. */
@SuppressWarnings({"EmptyBlockTag", "UnusedVariable"})
public final class Loops {
    static int field = 40;
    private int own = 7;

    private Loops() {}

    public static int countsUp(int n) {
        int[] a = new int[Math.max(n, 0)];
        for (int i = 0; i < n; i++) a[i] = i * 3;
        int sum = 0;
        for (int i = 0; i < a.length; i++) sum += a[i];
        return sum;
    }

    public static int countsDown(int n) {
        int[] a = new int[Math.max(n, 0)];
        for (int i = n - 1; i >= 0; i--) a[i] = i;
        int sum = 0;
        for (int i = a.length; i > 0; i--) sum = sum * 31 + a[i - 1];
        for (int i = a.length - 1; i > 5; i -= 3) sum += a[i];
        for (int i = a.length - 1; i >= 4; i -= 2) sum -= a[i];
        return sum;
    }

    public static int countsFromBelowZero(int n) {
        int[] a = new int[64];
        int sum = 0;
        for (int i = -n; i < 0; i++) sum += a[i & 63]++;
        return sum * 31 + a[5];
    }

    public static int steps(int n) {
        int[] a = new int[64];
        int rounds = 0;
        for (int i = 0; i < n; i += 7) {
            a[i & 63] += i;
            rounds++;
        }
        return rounds * 31 + a[7];
    }

    public static int endsAtTheLargestInt(int rounds) {
        int n = Math.max(rounds, 0);
        int[] a = new int[1];
        for (int i = Integer.MAX_VALUE - n; i < Integer.MAX_VALUE; i++) a[0] += i;
        return a[0];
    }

    public static int endsAtTheSmallestInt(int rounds) {
        int n = Math.max(rounds, 0);
        int[] a = new int[1];
        for (int i = Integer.MIN_VALUE + n; i > Integer.MIN_VALUE; i--) a[0] += i;
        return a[0];
    }

    public static int stepsOverTheEdge(int rounds) {
        int n = Math.max(rounds, 0);
        int[] a = new int[1];
        int done = 0;
        for (int i = Integer.MAX_VALUE - n; i < Integer.MAX_VALUE - 1; i += 2) {
            a[0] += i;
            if (++done > 2 * n + 4) break;
        }
        return a[0] + done;
    }

    public static int breaksAndContinues(int n) {
        int[] a = new int[64];
        int sum = 0;
        for (int i = 0; i < n; i++) {
            if ((i & 3) == 1) continue;
            sum += a[i & 63] += i;
            if (sum < -1_000_000) break;
        }
        int i = 0;
        while (i < n) {
            if ((a[i & 63] & 1) == 0) {
                i += 2;
                continue;
            }
            sum ^= a[i & 63];
            i++;
        }
        return sum + i;
    }

    public static int nested(int n) {
        int m = Math.min(n, 50);
        int[][] a = new int[m][m];
        outer:
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < m; j++) {
                if (j > i + 20) continue outer;
                if (i * j == 600) break outer;
                a[i][j] = i ^ j;
            }
        }
        int sum = 0;
        for (int[] row : a) for (int each : row) sum = sum * 31 + each;
        return sum;
    }

    public static long mixesWideLocals(int n) {
        long total = 1;
        double d = 0.5;
        long[] a = {1, 2, 3, 4};
        for (int i = 0; i < n; i++) {
            long x = a[i & 3];
            double y = d * x;
            if (y > 1) total += x;
            else total ^= (long) y;
        }
        String s = null;
        for (int i = 0; i < n; i++) {
            Object o = (a[i & 3] & 1) == 0 ? (Object) "even" : (Object) a;
            if (o instanceof String text) s = text;
        }
        return total + (s == null ? 0 : s.length());
    }

    public static int catches(int n) {
        int[] a = new int[16];
        int caught = 0;
        for (int i = 0; i < n; i++) {
            try {
                a[i % 20]++;
            } catch (ArrayIndexOutOfBoundsException e) {
                caught++;
            }
        }
        try {
            for (int i = 0; i < n; i++) a[i] += 1;
        } catch (ArrayIndexOutOfBoundsException e) {
            caught += 100;
        } finally {
            caught++;
        }
        return caught * 31 + a[3];
    }

    public static int limitThatMoves(int n) {
        int[] a = new int[64];
        field = n;
        int rounds = 0;
        for (int i = 0; i < field; i++) {
            a[i & 63]++;
            if ((i & 7) == 0) field--;
            rounds++;
        }
        int limit = n;
        for (int i = 0; i < limit; i++) {
            a[i & 63]++;
            if ((i & 7) == 0) limit--;
            rounds++;
        }
        return rounds;
    }

    public static int counterThatIsTamperedWith(int n) {
        int[] a = new int[64];
        int rounds = 0;
        for (int i = 0; i < n; i++) {
            if (a[i & 63]++ == 0) i--;
            rounds++;
        }
        return rounds;
    }

    public static int otherShapes(int n) {
        int i = 0;
        int sum = 0;
        do {
            sum += i;
        } while (++i < n);
        while (sum > 100) sum -= 7;
        for (long j = 0; j < n; j++) sum += (int) j;
        for (int j = 0; j <= n; j++) sum ^= j;
        for (int j = 0; j != Math.abs(n); j++) sum += j;
        for (String each : new String[] {"a", "bc"}) sum += each.length();
        for (int j = 0; ; j++) if (j >= n) return sum;
    }

    public static int callsInLoops(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += leaf(i);
        var text = new StringBuilder();
        while (text.length() < n) text.append('x');
        return sum + text.length();
    }

    /** What another method does in a round is not known to be quick. */
    public static int callsOfUnknownLength(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += Integer.parseInt("7");
        int left = n;
        while (left > 0) left -= String.valueOf(left).length() > 0 ? 1 : 0;
        return sum + left;
    }

    public static int loopsAroundStrips(int n) {
        int[] a = new int[4];
        int rounds = Math.min(n, 1000);
        for (int i = 0; i < rounds; i++) for (int j = 0; j < a.length; j++) a[j] += i;
        return a[0] * 31 + a[3];
    }

    public static int nestOfShortLoops(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < 2; j++) sum += i ^ j;
            int k = 3;
            while (k > 1) {
                k--;
                sum ^= leaf(k);
            }
        }
        return sum;
    }

    /** Its counter does not tell how far it has come. */
    public static int stepsAsideAndBack(int n) {
        int rounds = 0;
        int i = 7;
        while (rounds < n) {
            i--;
            rounds += leaf(i) > 0 ? 1 : 2;
            i++;
        }
        return rounds;
    }

    public static int stepsOfTwo(int n) {
        int sum = 0;
        for (int i = 1; i < 2 * n; i += 2) sum += leaf(i);
        return sum;
    }

    public static int twoWaysBack(int n) {
        int sum = 0;
        int i = 0;
        while (i < n) {
            if ((i & 1) == 0) {
                i++;
                continue;
            }
            sum += leaf(i);
            i++;
        }
        return sum;
    }

    public static int switches(int n) {
        int state = 0;
        int steps = 0;
        while (true) {
            switch (state) {
                case 0 -> state = n > 3 ? 1 : 2;
                case 1 -> state = ++steps < n ? 1 : 2;
                case 2 -> state = 1000;
                case 1000 -> {
                    return steps;
                }
                default -> throw new AssertionError(state);
            }
        }
    }

    public static int recurses(int n) {
        return n < 2 ? 1 : recurses(Math.min(n, 15) - 1) + recurses(Math.min(n, 15) - 2);
    }

    public static boolean isEven(int n) {
        return n <= 0 || isOdd(Math.min(n, 200) - 1);
    }

    private static boolean isOdd(int n) {
        return n > 0 && isEven(n - 1);
    }

    public static int leaf(int n) {
        return Math.abs(n) + 1;
    }

    public static int constructs(int n) {
        return new Loops().ownUpTo(n);
    }

    private int ownUpTo(int n) {
        int[] a = new int[8];
        for (int i = 0; i < own; i++) a[i] = n;
        synchronized (this) {
            for (int i = 0; i < a.length; i++) own += a[i];
        }
        return own;
    }

    public static int locks(int n) throws InterruptedException {
        var lock = new ReentrantLock();
        Lock plain = lock;
        lock.lock();
        try {
            if (plain.tryLock()) plain.unlock();
            if (plain.tryLock(1, java.util.concurrent.TimeUnit.SECONDS)) plain.unlock();
            Runnable reference = lock::lock;
            reference.run();
            return lock.getHoldCount() + n;
        } finally {
            lock.unlock();
            lock.unlock();
        }
    }
}
