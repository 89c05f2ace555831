package dev.coir.scope;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.channel.Channel;
import dev.coir.executor.ManualExecutor;
import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber;
import dev.coir.testing.Callers;
import dev.coir.testing.Callers.Call;
import dev.coir.testing.Crowd;
import dev.coir.testing.Schedulers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Scopes, owned by whoever may own one, with children of both kinds. */
@ParameterizedClass
@MethodSource("settings")
class ScopeTest {
    /** Who owns the scope, of which kind its children are, and how many workers run them. */
    record Setting(Callers owner, Fiber.Kind kind, int workers) {}

    static Stream<Setting> settings() {
        return Arrays.stream(Callers.values())
                .flatMap(owner -> Arrays.stream(Fiber.Kind.values())
                        .flatMap(kind -> Stream.of(1, 2, 4, 8).map(workers -> new Setting(owner, kind, workers))));
    }

    private static final ScopedValue<String> USER = ScopedValue.newInstance();

    @Parameter
    Setting setting;

    private Scheduler scheduler;

    @BeforeEach
    void start() {
        scheduler = Schedulers.start(setting.workers());
    }

    @AfterEach
    void close() {
        Schedulers.close(scheduler);
    }

    /** Runs {@code body} as the owner of the scopes it opens. */
    private <V> V owner(Callable<V> body) throws Exception {
        return start(body).get();
    }

    private <V> Call<V> start(Callable<V> body) {
        return setting.owner().start(scheduler, body);
    }

    private <T> Scope<T, Void> open() {
        return Scope.<T>open().on(scheduler).kind(setting.kind());
    }

    private <T, R> Scope<T, R> open(Joiner<T, R> joiner) {
        return Scope.<T, R>open(joiner).on(scheduler).kind(setting.kind());
    }

    /** Waits for ever; an interrupt ends it. */
    @SuppressWarnings("TypeParameterUnusedInFormals") // it never returns
    private static <T> T never() throws InterruptedException {
        Channel.<T>rendezvous().receive();
        throw new AssertionError();
    }

    // ---- joining ---------------------------------------------------------------------------------------------------

    @Test
    void joinWaitsForAllAndTheirResultsAreThere() throws Exception {
        int sum = owner(() -> {
            try (var scope = open()) {
                Fiber<Integer> a = scope.fork(() -> 1);
                Fiber<String> b = scope.fork(() -> {
                    Fiber.yield();
                    return "22";
                });
                var ran = new AtomicBoolean();
                Fiber<Void> c = scope.fork(() -> ran.set(true));
                assertNull(scope.join());
                assertTrue(a.isDone() && b.isDone() && c.isDone() && ran.get());
                return a.resultNow() + b.resultNow().length();
            }
        });
        assertEquals(3, sum);
    }

    @Test
    void theFirstFailureCancelsTheOthersAndIsThrown() throws Exception {
        var why = new IOException("why");
        var unwound = new AtomicInteger();
        owner(() -> {
            try (var scope = open()) {
                var ready = new CountDownLatch(3);
                List<Fiber<Object>> waiting = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    waiting.add(scope.fork(() -> {
                        try {
                            ready.countDown();
                            return never();
                        } finally {
                            unwound.incrementAndGet();
                        }
                    }));
                }
                Fiber<Object> failing = scope.fork(() -> {
                    while (ready.getCount() > 0) Fiber.yield();
                    throw why;
                });
                var failed = assertThrows(ScopeFailedException.class, scope::join);
                assertSame(why, failed.getCause());
                assertEquals(0, failed.getSuppressed().length);
                assertEquals(Future.State.FAILED, failing.state());
                waiting.forEach(each -> assertTrue(each.isCancelled()));
            }
            assertEquals(3, unwound.get(), "the block ends after all of them");
            return null;
        });
    }

    @Test
    void theFailuresOfSiblingsAreSuppressed() throws Exception {
        owner(() -> {
            try (var scope = open()) {
                var gate = new CompletableFuture<Void>();
                for (int i = 0; i < 3; i++) {
                    String text = "failure " + i;
                    scope.fork((Callable<Object>) () -> {
                        try {
                            Fiber.await(gate);
                        } catch (InterruptedException cancelled) {
                            return null;
                        }
                        throw new IOException(text);
                    });
                }
                gate.complete(null);
                var failed = assertThrows(ScopeFailedException.class, scope::join);
                assertInstanceOf(IOException.class, failed.getCause());
                for (Throwable each : failed.getSuppressed()) assertInstanceOf(IOException.class, each);
                assertTrue(failed.getSuppressed().length <= 2);
            }
            try (var scope = open(Joiner.any())) { // which waits for all failures
                for (int i = 0; i < 3; i++) {
                    String text = "failure " + i;
                    scope.fork((Callable<Object>) () -> {
                        throw new IOException(text);
                    });
                }
                var failed = assertThrows(ScopeFailedException.class, scope::join);
                assertInstanceOf(IOException.class, failed.getCause());
                assertEquals(2, failed.getSuppressed().length);
            }
            return null;
        });
    }

    @Test
    void anErrorIsAFailureToo() throws Exception {
        var error = new AssertionError("why");
        owner(() -> {
            try (var scope = open()) {
                scope.fork((Callable<Object>) () -> {
                    throw error;
                });
                assertSame(
                        error,
                        assertThrows(ScopeFailedException.class, scope::join).getCause());
            }
            return null;
        });
    }

    /** Neither an exception nor an error: code of other languages, and code that sneaks, can throw it. */
    @Test
    void aThrowableOfNoUsualKindIsAFailureToo() throws Exception {
        var thrown = new Throwable("why");
        owner(() -> {
            try (var scope = open()) {
                Fiber<Object> child = scope.fork((Callable<Object>) () -> {
                    ScopeTest.<RuntimeException>sneak(thrown);
                    return null;
                });
                assertSame(
                        thrown,
                        assertThrows(ScopeFailedException.class, scope::join).getCause());
                assertSame(thrown, child.exceptionNow());
            }
            return null;
        });
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void sneak(Throwable thrown) throws X {
        throw (X) thrown;
    }

    @Test
    void allGivesTheResultsInTheOrderOfForking() throws Exception {
        owner(() -> {
            try (var scope = open(Joiner.<Integer>all())) {
                for (int i = 0; i < 10; i++) {
                    int value = i;
                    scope.fork(() -> {
                        for (int y = value; y < 10; y++) Fiber.yield();
                        return value;
                    });
                }
                assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), scope.join());
            }
            try (var scope = open(Joiner.<Integer>all())) {
                assertEquals(List.of(), scope.join());
            }
            try (var scope = open(Joiner.<Integer>all())) {
                Fiber<Integer> cancelled = scope.fork(() -> never());
                cancelled.cancel(true);
                var failed = assertThrows(ScopeFailedException.class, scope::join);
                assertInstanceOf(CancellationException.class, failed.getCause());
            }
            return null;
        });
    }

    @Test
    void anyGivesTheFirstSuccessAndCancelsTheRest() throws Exception {
        owner(() -> {
            Fiber<String> slow;
            try (var scope = open(Joiner.<String>any())) {
                slow = scope.fork(() -> never());
                scope.fork(() -> {
                    throw new IOException("one that fails does not matter");
                });
                scope.fork(() -> "first");
                assertEquals("first", scope.join());
            }
            assertTrue(slow.isCancelled());
            try (var scope = open(Joiner.<String>any())) {
                var failed = assertThrows(ScopeFailedException.class, scope::join);
                assertInstanceOf(NoSuchElementException.class, failed.getCause());
            }
            return null;
        });
    }

    @Test
    void settledWaitsForAllAndDoesNotFail() throws Exception {
        owner(() -> {
            try (var scope = open(Joiner.<Integer>settled())) {
                scope.fork(() -> 1);
                scope.fork(() -> {
                    throw new IOException("why");
                });
                scope.fork(() -> never()).cancel(true);
                var states = scope.join().stream().map(Future::state).toList();
                assertEquals(List.of(Future.State.SUCCESS, Future.State.FAILED, Future.State.CANCELLED), states);
            }
            return null;
        });
    }

    @Test
    void aChildThatIsCancelledByItselfIsNoFailure() throws Exception {
        owner(() -> {
            try (var scope = open()) {
                Fiber<Object> heartbeat = scope.fork(() -> never());
                Fiber<Integer> work = scope.fork(() -> 5);
                assertEquals(5, work.join());
                heartbeat.cancel(true);
                scope.join();
            }
            return null;
        });
    }

    @Test
    void aJoinerOfOnesOwnDecides() throws Exception {
        owner(() -> {
            var sum = new AtomicInteger();
            try (var scope = open(new Joiner<Integer, Integer>() {
                @Override
                public boolean onComplete(Fiber<? extends Integer> child) {
                    return child.state() == Future.State.SUCCESS && sum.addAndGet(child.resultNow()) >= 3;
                }

                @Override
                public Integer result() {
                    return sum.get();
                }
            })) {
                scope.fork(() -> never());
                scope.fork(() -> 1);
                scope.fork(() -> 2);
                assertEquals(3, scope.join());
            }
            var broken = new IllegalStateException("broken");
            try (var scope = open(new Joiner<Integer, Integer>() {
                @Override
                public boolean onComplete(Fiber<? extends Integer> child) {
                    throw broken;
                }

                @Override
                public Integer result() {
                    return 0;
                }
            })) {
                scope.fork(() -> 1);
                assertSame(
                        broken,
                        assertThrows(ScopeFailedException.class, scope::join).getCause());
            }
            return null;
        });
    }

    /** Each child that is cancelled is enough as well: they must not be cancelled one inside the other. */
    @Test
    void aJoinerThatHasEnoughWithEveryChildMayHaveThousands() throws Exception {
        owner(() -> {
            List<Fiber<?>> forked = new ArrayList<>();
            List<Fiber<?>> done = Collections.synchronizedList(new ArrayList<>());
            try (var scope = open(new Joiner<Integer, Integer>() {
                @Override
                public boolean onComplete(Fiber<? extends Integer> child) {
                    done.add(child);
                    return true;
                }

                @Override
                public Integer result() {
                    return done.size();
                }
            })) {
                for (int i = 0; i < 3_000; i++) forked.add(scope.fork(() -> never()));
                forked.addFirst(scope.fork(() -> 1));
                assertEquals(3_001, scope.join());
            }
            assertEquals(forked, done);
            return null;
        });
    }

    // ---- the end ---------------------------------------------------------------------------------------------------

    @Test
    void leavingWithoutAJoinCancelsAndWaits() throws Exception {
        owner(() -> {
            var unwound = new AtomicBoolean();
            var thrown = new IOException("mine");
            var entered = new CountDownLatch(1);
            var left = assertThrows(IOException.class, () -> {
                try (var scope = open()) {
                    scope.fork(() -> {
                        try {
                            entered.countDown();
                            return never();
                        } finally {
                            Fiber.yield();
                            unwound.set(true);
                        }
                    });
                    while (entered.getCount() > 0) Fiber.yield();
                    throw thrown;
                }
            });
            assertSame(thrown, left);
            assertTrue(unwound.get());
            return null;
        });
    }

    @Test
    void closeWaitsEvenForThoseThatIgnoreTheirCancellation() throws Exception {
        var stubborn = new CompletableFuture<Void>();
        var entered = new CountDownLatch(1);
        var ended = new AtomicBoolean();
        Call<Boolean> owner = start(() -> {
            try (var scope = open()) {
                scope.fork((Callable<Object>) () -> {
                    entered.countDown();
                    awaitStubbornly(stubborn);
                    ended.set(true);
                    return null;
                });
                return scope.join() == null;
            } catch (InterruptedException e) {
                return ended.get();
            }
        });
        entered.await();
        owner.untilWaiting().interrupt();
        stubborn.complete(null);
        assertTrue(owner.get(), "the block was left after the child had ended");
    }

    @Test
    void anInterruptDoesNotShortenCloseAndIsKept() throws Exception {
        owner(() -> {
            var unwound = new AtomicBoolean();
            var entered = new CountDownLatch(1);
            try (var scope = open()) {
                scope.fork(() -> {
                    try {
                        entered.countDown();
                        return never();
                    } finally {
                        for (int i = 0; i < 20; i++) Fiber.yield();
                        unwound.set(true);
                    }
                });
                while (entered.getCount() > 0) Fiber.yield();
                Thread.currentThread().interrupt();
            }
            assertTrue(unwound.get());
            return assertThrows(InterruptedException.class, () -> Fiber.sleep(Duration.ZERO));
        });
    }

    private static void awaitStubbornly(CompletableFuture<Void> gate) throws Exception {
        while (!gate.isDone()) {
            try {
                Fiber.await(gate);
            } catch (InterruptedException ignored) {
                Fiber.yield();
            }
        }
    }

    @Test
    void cancellingTheOwnerReachesChildrenOfChildren() throws Exception {
        var unwound = new AtomicInteger();
        var deepest = new CountDownLatch(8);
        Call<Void> owner = start(() -> {
            nest(3, deepest, unwound);
            return null;
        });
        deepest.await();
        owner.untilWaiting().interrupt();
        assertThrows(InterruptedException.class, owner::get);
        assertEquals(8 + 4 + 2 + 1, unwound.get());
    }

    private void nest(int depth, CountDownLatch deepest, AtomicInteger unwound) throws InterruptedException {
        try {
            if (depth == 0) {
                deepest.countDown();
                never();
                return;
            }
            try (var scope = open()) {
                for (int i = 0; i < 2; i++) {
                    scope.fork((Callable<Object>) () -> {
                        nest(depth - 1, deepest, unwound);
                        return null;
                    });
                }
                scope.join();
            }
        } finally {
            unwound.incrementAndGet();
        }
    }

    @Test
    void aFailureDeepInsideComesOutAtTheTop() throws Exception {
        var why = new IOException("deep inside");
        owner(() -> {
            try (var outer = open()) {
                outer.fork((Callable<Object>) () -> {
                    try (var inner = open()) {
                        inner.fork(() -> never());
                        inner.fork((Callable<Object>) () -> {
                            throw why;
                        });
                        return inner.join();
                    }
                });
                outer.fork(() -> never());
                var failed = assertThrows(ScopeFailedException.class, outer::join);
                assertSame(why, failed.getCause().getCause());
            }
            return null;
        });
    }

    @Test
    void cancellingAtAnyMomentLosesNoChild() throws Exception {
        owner(() -> {
            for (int round = 0; round < 40; round++) {
                var running = new AtomicInteger();
                try (var scope = open()) {
                    for (int i = 0; i < 8; i++) {
                        int index = i;
                        Fiber<Object> child = scope.fork(() -> {
                            running.incrementAndGet();
                            try {
                                for (int y = 0; y < index; y++) Fiber.yield();
                                if (index == 5) throw new IOException("why");
                                return null;
                            } finally {
                                running.decrementAndGet();
                            }
                        });
                        if (index % 3 == round % 3) child.cancel(true);
                    }
                    if (round % 2 == 0) {
                        try {
                            scope.join();
                        } catch (ScopeFailedException expected) {
                            assertEquals("why", expected.getCause().getMessage());
                        }
                    }
                }
                assertEquals(0, running.get());
            }
            return null;
        });
    }

    // ---- time ------------------------------------------------------------------------------------------------------

    @Test
    void whenTimeIsUpTheChildrenAreCancelled() throws Exception {
        owner(() -> {
            for (Joiner<Object, ?> joiner : List.<Joiner<Object, ?>>of(Joiner.all(), Joiner.any(), Joiner.settled())) {
                Fiber<Object> child;
                try (var scope = open(joiner).withTimeout(Duration.ofMillis(3))) {
                    child = scope.fork(() -> never());
                    var late = assertThrows(ScopeTimeoutException.class, scope::join);
                    assertInstanceOf(TimeoutException.class, late.getCause());
                    assertTrue(late.getMessage().endsWith("had not ended after PT0.003S"), late::getMessage);
                }
                assertTrue(child.isCancelled());
            }
            return null;
        });
    }

    @Test
    void timeRunsAlsoWhileTheOwnerIsElsewhere() throws Exception {
        owner(() -> {
            try (var scope = open().withTimeout(Duration.ofMillis(3))) {
                Fiber<Object> child = scope.fork(() -> never());
                assertThrows(CancellationException.class, child::join);
                assertTrue(scope.fork(() -> 1).isCancelled(), "too late");
                assertThrows(ScopeTimeoutException.class, scope::join);
            }
            return null;
        });
    }

    @Test
    void whoEndsInTimeNoticesNothing() throws Exception {
        owner(() -> {
            try (var scope = open(Joiner.<Integer>all()).withTimeout(Duration.ofDays(100_000_000))) {
                scope.fork(() -> 1);
                assertEquals(List.of(1), scope.join());
            }
            return null;
        });
    }

    /** Nobody watches a moment that never comes: as of a clock that stands below zero it would lie in the past. */
    @Test
    void aLimitOfCenturiesIsNone() throws Exception {
        owner(() -> {
            for (Duration never : List.of(Duration.ofDays(100_000_000), Duration.ofSeconds(Long.MAX_VALUE))) {
                var manual = new ManualExecutor();
                try (var scope = open(Joiner.<Integer>all()).on(manual).withTimeout(never)) {
                    scope.fork(() -> 1);
                    assertEquals(1, manual.size());
                    Crowd.onAnotherThread(_ -> assertEquals(1, manual.drain()));
                    assertEquals(List.of(1), scope.join());
                }
            }
            return null;
        });
    }

    // ---- misuse ----------------------------------------------------------------------------------------------------

    @Test
    void misuseIsRefused() throws Exception {
        owner(() -> {
            Scope<Object, Void> used;
            try (var scope = open()) {
                used = scope;
                scope.fork(() -> 1);
                assertThrows(IllegalStateException.class, () -> scope.withName("late"));
                assertThrows(IllegalStateException.class, () -> scope.withTimeout(Duration.ZERO));
                assertThrows(NullPointerException.class, () -> scope.fork((Callable<Object>) null));
                scope.join();
                var refusal = assertThrows(IllegalStateException.class, () -> scope.fork(() -> 2));
                assertTrue(refusal.getMessage().startsWith("fork after join: open another scope"), refusal::getMessage);
                assertThrows(IllegalStateException.class, scope::join);
            }
            assertThrows(IllegalStateException.class, () -> used.fork(() -> 3));
            assertThrows(IllegalStateException.class, used::join);
            used.close();
            return null;
        });
    }

    @Test
    void strangersAreRefused() throws Exception {
        owner(() -> {
            try (var scope = open()) {
                scope.fork(
                        () -> { // a child is a stranger, too
                            assertThrows(WrongThreadException.class, () -> scope.fork(() -> 1));
                            assertThrows(WrongThreadException.class, scope::join);
                            assertThrows(WrongThreadException.class, scope::close);
                        });
                Crowd.onAnotherThread(i -> {
                    assertThrows(WrongThreadException.class, () -> scope.fork(() -> 1));
                    assertThrows(WrongThreadException.class, scope::close);
                });
                scope.join();
            }
            return null;
        });
    }

    @Test
    void aForkThatTheExecutorRefusesLeavesNothing() throws Exception {
        owner(() -> {
            try (var scope = Scope.open(Joiner.<Integer>all()).on(task -> {
                throw new RejectedExecutionException("full");
            })) {
                assertThrows(RejectedExecutionException.class, () -> scope.fork(() -> 1));
                assertEquals(List.of(), scope.join());
            }
            return null;
        });
    }

    /** As an executor does that cannot make a thread. */
    @Test
    void joinDoesNotWaitForAChildWhoseExecutorThrewSomethingElse() throws Exception {
        owner(() -> {
            for (boolean limited : List.of(false, true)) {
                try (var scope = Scope.open(Joiner.<Integer>all()).on(task -> {
                    throw new OutOfMemoryError("no more threads");
                })) {
                    if (limited) scope.withTimeout(Duration.ofDays(1));
                    assertThrows(OutOfMemoryError.class, () -> scope.fork(() -> 1));
                    assertEquals(List.of(), scope.join());
                }
            }
            return null;
        });
    }

    @Test
    void forkingAfterAFailureGivesACancelledChild() throws Exception {
        owner(() -> {
            try (var scope = open()) {
                Fiber<Object> failing = scope.fork((Callable<Object>) () -> {
                    throw new IOException("why");
                });
                while (!scope.toString().contains("cancelled")) Fiber.yield();
                var ran = new AtomicBoolean();
                Fiber<Void> late = scope.fork(() -> ran.set(true));
                assertTrue(late.isCancelled());
                assertThrows(ScopeFailedException.class, scope::join);
                assertFalse(ran.get());
                assertTrue(failing.isDone());
            }
            return null;
        });
    }

    // ---- names and values ------------------------------------------------------------------------------------------

    @Test
    void childrenAreNamedAfterTheScope() throws Exception {
        owner(() -> {
            try (var scope = open().withName("loader")) {
                assertEquals("loader-1", scope.fork(() -> 1).name());
                assertEquals("loader-2", scope.fork(() -> {}).name());
                scope.join();
                assertTrue(scope.toString().startsWith("Scope[loader, JOINED, "), scope::toString);
            }
            return null;
        });
    }

    @Test
    void scopedValuesAreInheritedByChildrenAndTheirChildren() throws Exception {
        owner(() -> ScopedValue.where(USER, "ada").call(() -> {
            try (var scope = open(Joiner.<String>all())) {
                scope.fork(() -> USER.get());
                scope.fork(() -> {
                    Fiber.yield();
                    String before = USER.get();
                    String inside = ScopedValue.where(USER, "bob").call(() -> {
                        Fiber.yield();
                        return USER.get();
                    });
                    return before + inside + USER.get();
                });
                scope.fork(() -> {
                    try (var inner = open(Joiner.<String>all())) {
                        inner.fork(() -> {
                            Fiber.yield();
                            return "inner " + USER.get();
                        });
                        return inner.join().getFirst();
                    }
                });
                assertEquals(List.of("ada", "adabobada", "inner ada"), scope.join());
            }
            Fiber<Boolean> unscoped =
                    Fiber.builder().on(scheduler).kind(setting.kind()).start(() -> USER.isBound());
            assertFalse(unscoped.join(), "fibers that are not children inherit nothing");
            return null;
        }));
    }

    /** LIGHT fibers that run straight through share one stack. */
    @Test
    void scopedValuesEndWithTheChildThatInheritedThem() throws Exception {
        owner(() -> {
            for (int round = 0; round < 100; round++) {
                List<Fiber<Boolean>> unscoped = new ArrayList<>();
                ScopedValue.where(USER, "ada").call(() -> {
                    try (var scope = open(Joiner.<String>all())) {
                        for (int i = 0; i < 4; i++) {
                            scope.fork(() -> USER.get());
                            unscoped.add(Fiber.builder()
                                    .on(scheduler)
                                    .kind(setting.kind())
                                    .start(() -> USER.isBound()));
                        }
                        return scope.join();
                    }
                });
                for (Fiber<Boolean> each : unscoped) assertFalse(each.join());
            }
            return null;
        });
    }
}
