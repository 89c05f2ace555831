package dev.coir.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.agent.boot.Locks;
import dev.coir.agent.boot.Poll;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.ObjIntConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Woven code does what it did, and polls. Woven here by hand: the classes come from the class path, not from an agent. */
class WeaverTest {
    private static final int[] SIZES = {
        -3, 0, 1, 2, 7, 100, StripLoop.ROUNDS - 1, StripLoop.ROUNDS, 3 * StripLoop.ROUNDS + 5
    };

    /** Has neither loops nor calls. */
    static final class Plain {
        int x;
    }

    private final Class<?> woven = load();
    private int polls;

    private static Class<?> load() {
        try {
            return new WovenLoader(Loops.class.getName(), null).loadClass(Loops.class.getName());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    static Stream<String> methods() {
        return Arrays.stream(Loops.class.getDeclaredMethods())
                .filter(each -> Modifier.isPublic(each.getModifiers()))
                .map(Method::getName)
                .sorted();
    }

    private static Object call(Class<?> of, String method, int n) throws Exception {
        try {
            return of.getMethod(method, int.class).invoke(null, n);
        } catch (java.lang.reflect.InvocationTargetException e) {
            return String.valueOf(e.getCause());
        }
    }

    private int pollsOf(String method, int n) throws Exception {
        return pollsOf(woven, method, n);
    }

    private int pollsOf(Class<?> of, String method, int n) throws Exception {
        polls = 0;
        Poll.install(() -> polls++);
        Poll.raise();
        try {
            call(of, method, n);
        } finally {
            Poll.lower();
        }
        return polls;
    }

    private final Runnable onPollBefore = Poll.install(() -> {});
    private final ObjIntConsumer<Object> onLockBefore = Locks.install(null);

    @AfterEach
    void othersListenAgain() {
        Poll.install(onPollBefore);
        Locks.install(onLockBefore);
    }

    @ParameterizedTest
    @MethodSource("methods")
    void wovenCodeGivesTheSameResults(String method) throws Exception {
        for (int n : SIZES) assertEquals(call(Loops.class, method, n), call(woven, method, n), method + "(" + n + ")");
    }

    /** Before the first request loops are not cut, and count nothing. */
    @ParameterizedTest
    @MethodSource("methods")
    void whilePollsSleepTheResultsAreTheSame(String method) throws Exception {
        var loader = new WovenLoader(Loops.class.getName(), null, true);
        Class<?> asleep = loader.loadClass(Loops.class.getName());
        for (int n : SIZES) assertEquals(call(Loops.class, method, n), call(asleep, method, n), method + "(" + n + ")");
        Class<?> poll = loader.loadClass(Poll.class.getName());
        assertEquals(true, poll.getMethod("asleep").invoke(null));
    }

    /** Loops for ever, unless a poll ends it. */
    public static final class Endless {
        /** Rounds so far. */
        public static volatile long rounds;

        /** An innermost loop without calls. */
        @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
        public static void loop() {
            while (rounds >= 0) rounds++;
        }

        /** Has a counter of its own. */
        public static void counts() {
            for (int i = 0; rounds >= 0; i++) rounds = Math.max(rounds, i);
        }

        /** The inner loop is always short. */
        @SuppressWarnings("NonAtomicVolatileUpdate")
        public static void nest() {
            for (long i = 0; i >= 0; i++) for (int j = 0; j < 3; j++) rounds++;
        }

        /** Back by a condition. */
        @SuppressWarnings("NonAtomicVolatileUpdate")
        public static void doesWhile() {
            do rounds++;
            while (rounds >= 0);
        }

        /** What it calls polls as well, but could do so before the loop when it is inlined. */
        @SuppressWarnings("NonAtomicVolatileUpdate")
        public static void callsWhatRecursesSeldom() {
            while (deep(rounds) >= 0) rounds++;
        }

        private static long deep(long n) {
            return n >= 0 ? n : deep(n + 1);
        }

        /** A loop of the JDK's, around a lambda. */
        public static void stream() {
            LongStream.iterate(0, i -> i + 1).forEach(i -> rounds = i);
        }
    }

    private static final class Stopped extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    @ParameterizedTest
    @ValueSource(strings = {"loop", "stream"})
    void theFirstRequestReachesCodeThatIsCompiledAlready(String method) throws Exception {
        stop(method, false);
    }

    /** What is compiled while polls are awake has them in each loop: the JIT has not moved them out. */
    @ParameterizedTest
    @ValueSource(strings = {"loop", "stream", "counts", "nest", "callsWhatRecursesSeldom", "doesWhile"})
    void laterRequestsReachCompiledCodeToo(String method) throws Exception {
        stop(method, true);
    }

    private static void stop(String method, boolean awake) throws Exception {
        var loader = new WovenLoader(Endless.class.getName(), null, true);
        Class<?> endless = loader.loadClass(Endless.class.getName());
        Class<?> poll = loader.loadClass(Poll.class.getName());
        if (awake) {
            poll.getMethod("raise").invoke(null);
            poll.getMethod("lower").invoke(null);
        }
        var ended = new CompletableFuture<Throwable>();
        Method work = endless.getMethod(method);
        work.setAccessible(true);
        var thread = new Thread(() -> {
            try {
                work.invoke(null);
            } catch (ReflectiveOperationException e) {
                ended.complete(e.getCause());
            }
        });
        thread.setDaemon(true);
        thread.start();
        var rounds = endless.getField("rounds");
        rounds.setAccessible(true);
        while (rounds.getLong(null) < 50_000_000 && !ended.isDone()) Thread.onSpinWait(); // compiled long before
        poll.getMethod("install", Runnable.class).invoke(null, (Runnable) () -> {
            throw new Stopped();
        });
        poll.getMethod("raise").invoke(null);
        assertInstanceOf(Stopped.class, ended.get(20, TimeUnit.SECONDS));
        assertEquals(false, poll.getMethod("asleep").invoke(null));
    }

    @Test
    void everyLoopPolls() throws Exception {
        for (String method : List.of(
                "otherShapes",
                "switches",
                "counterThatIsTamperedWith",
                "callsInLoops",
                "stepsAsideAndBack",
                "twoWaysBack",
                "nestOfShortLoops",
                "stepsOfTwo")) {
            int rounds = 100 * StripLoop.QUICK_ROUNDS;
            assertTrue(pollsOf(method, rounds) >= 99, method + ": " + polls);
        }
    }

    @Test
    void loopsWhoseRoundsMayTakeLongPollInEachOfThem() throws Exception {
        assertTrue(pollsOf("callsOfUnknownLength", 100) >= 200, "polls: " + polls);
        assertTrue(pollsOf("loopsAroundStrips", 100) >= 100, "polls: " + polls);
    }

    @Test
    void quickRoundsPollSeldom() throws Exception {
        int rounds = 100 * StripLoop.QUICK_ROUNDS;
        for (String method : List.of("callsInLoops", "nestOfShortLoops"))
            assertTrue(pollsOf(method, rounds) <= 600, method + ": " + polls);
    }

    @Test
    void countedLoopsPollOncePerStrip() throws Exception {
        int loops = 2;
        assertEquals(3 * loops, pollsOf("countsUp", 3 * StripLoop.ROUNDS + 5));
        assertEquals(0, pollsOf("countsUp", StripLoop.ROUNDS));
        assertEquals(loops, pollsOf("countsUp", StripLoop.ROUNDS + 1));
        for (String method : List.of("countsDown", "countsFromBelowZero", "steps", "mixesWideLocals", "catches")) {
            int found = pollsOf(method, 10 * StripLoop.ROUNDS);
            assertTrue(found >= 1 && found <= 50, method + ": " + found);
        }
    }

    @Test
    void nearTheEdgeOfTheIntsALoopPollsEveryRound() throws Exception {
        assertEquals(100, pollsOf("endsAtTheLargestInt", 101));
        assertEquals(100, pollsOf("endsAtTheSmallestInt", 101));
    }

    @Test
    void recursionPollsAndLeavesDoNot() throws Exception {
        assertTrue(pollsOf("recurses", 10) > 50);
        assertTrue(pollsOf("isEven", 100) >= 50);
        assertEquals(0, pollsOf("leaf", 100));
    }

    static Stream<String> recursions() {
        return Arrays.stream(Recursions.class.getDeclaredMethods())
                .filter(each -> Modifier.isPublic(each.getModifiers()))
                .map(Method::getName)
                .sorted();
    }

    /** Each of them is a cycle of at most four calls. */
    @ParameterizedTest
    @MethodSource("recursions")
    void everyCycleOfCallsPolls(String method) throws Exception {
        var loader = new WovenLoader(Recursions.class.getName(), null);
        Class<?> recursions = loader.loadClass(Recursions.class.getName());
        int depth = 300;
        assertEquals(call(Recursions.class, method, depth), call(recursions, method, depth));
        assertTrue(pollsOf(recursions, method, depth) >= depth / 4, method + ": " + polls);
        assertTrue(polls <= 2 * depth + 10, method + " polls more often than it calls: " + polls);
    }

    @Test
    void takenAndFreedLocksAreTold() throws Exception {
        List<Integer> told = new ArrayList<>();
        Locks.install((lock, what) -> {
            if (lock != null) told.add(what);
        });
        call(woven, "locks", 1);
        assertEquals(
                List.of(Locks.TAKEN, Locks.TAKEN, Locks.FREED, Locks.TAKEN, Locks.FREED, Locks.FREED, Locks.FREED),
                told);
    }

    @Test
    void aMethodReferenceToALockIsToldAsUnseen() throws Exception {
        call(woven, "locks", 1);
        List<Integer> told = new ArrayList<>();
        Locks.install((lock, what) -> told.add(what)); // also those who come later are told
        assertEquals(List.of(Locks.UNSEEN), told);
    }

    @Test
    void aClassThatNeedsNothingIsLeftAlone() throws Exception {
        var weaver = new Weaver(AgentArguments.parse(null));
        assertNull(weaver.weave("x", WovenLoader.bytesOf(Plain.class.getName())));
    }

    @Test
    void excludedClassesAreToldOfLocksButDoNotPoll() throws Exception {
        var weaver = new Weaver(AgentArguments.parse("exclude=dev.coir.agent.**"));
        byte[] bytes = weaver.weave(Loops.class.getName(), WovenLoader.bytesOf(Loops.class.getName()));
        List<String> called = new ArrayList<>();
        for (MethodModel method : ClassFile.of().parse(bytes).methods()) {
            method.code()
                    .ifPresent(code -> code.forEach(each -> {
                        if (each instanceof InvokeInstruction call
                                && call.owner().asInternalName().startsWith("dev/coir/agent/boot"))
                            called.add(call.name().stringValue());
                    }));
        }
        assertFalse(called.contains("here"));
        assertTrue(called.contains("taken"));
    }

    @Test
    void whatCannotBeWovenIsLeftAlone() {
        var weaver = new Weaver(AgentArguments.parse(null));
        byte[] nonsense = new byte[100];
        var loader = getClass().getClassLoader();
        assertNull(weaver.transform(loader.getUnnamedModule(), loader, "com/acme/Broken", null, null, nonsense));
    }

    @Test
    void aMethodTooLongForPollsLeavesItsClassAlone() {
        byte[] huge = Huge.bytes();
        var weaver = new Weaver(AgentArguments.parse(null));
        var loader = getClass().getClassLoader();
        assertNull(weaver.transform(loader.getUnnamedModule(), loader, "com/acme/Huge", null, null, huge));
    }
}
