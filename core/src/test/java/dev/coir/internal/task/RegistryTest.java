package dev.coir.internal.task;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.coir.testing.Crowd;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is entered and has not left; RegistryStress has the race between the two. */
class RegistryTest {
    private final Registry registry = new Registry();

    @Test
    void itStartsEmpty() {
        assertEquals(0, registry.size());
        assertEquals(Set.of(), content(registry));
    }

    @Test
    void whatIsEnteredIsThereUntilItLeaves() {
        var task = new Sleeper();
        registry.enter(task);
        assertEquals(1, registry.size());
        assertEquals(Set.of(task), content(registry));
        Registry.leave(task);
        assertEquals(0, registry.size());
        assertEquals(Set.of(), content(registry));
    }

    @Test
    void enteringTwiceCountsOnce() {
        var task = new Sleeper();
        registry.enter(task);
        registry.enter(task);
        assertEquals(1, registry.size());
    }

    @Test
    void aTaskStaysInTheRegistryThatItEnteredFirst() {
        var other = new Registry();
        var task = new Sleeper();
        registry.enter(task);
        other.enter(task);
        assertEquals(1, registry.size());
        assertEquals(0, other.size());
        Registry.leave(task);
        assertEquals(0, registry.size());
        assertEquals(0, other.size());
    }

    @Test
    void whoNeverEnteredMayLeaveAndNeverEntersAfterwards() {
        var task = new Sleeper();
        Registry.leave(task);
        registry.enter(task);
        assertEquals(0, registry.size());
        assertEquals(Set.of(), content(registry));
    }

    @Test
    void leavingTwiceCountsOnce() {
        var first = new Sleeper();
        var second = new Sleeper();
        registry.enter(first);
        registry.enter(second);
        Registry.leave(first);
        Registry.leave(first);
        registry.enter(first);
        assertEquals(Set.of(second), content(registry));
        assertEquals(1, registry.size());
    }

    @Test
    void anyOrderOfLeavingKeepsTheOthers() {
        var random = new Random(3);
        var inside = new ArrayList<Live>();
        for (int i = 0; i < 5000; i++) {
            if (inside.isEmpty() || random.nextInt(5) < 3) {
                var task = new Sleeper();
                registry.enter(task);
                inside.add(task);
            } else {
                Registry.leave(inside.remove(random.nextInt(inside.size())));
            }
            assertEquals(inside.size(), registry.size());
            if (i % 100 == 0) assertEquals(new HashSet<>(inside), content(registry));
        }
        while (!inside.isEmpty()) Registry.leave(inside.removeFirst());
        assertEquals(Set.of(), content(registry));
    }

    @Test
    void manyThreadsEnterAndLeaveWhileOthersLook() throws Exception {
        int perThread = 5000;
        var kept = new ArrayList<List<Live>>();
        for (int i = 0; i < 3; i++) kept.add(new ArrayList<>());
        Crowd.run(4, index -> {
            if (index == 3) {
                for (int i = 0; i < 500; i++) {
                    var seen = new ArrayList<Live>();
                    registry.copyTo(seen);
                    assertEquals(seen.size(), new HashSet<>(seen).size(), "a task is there twice");
                }
                return;
            }
            var random = new Random(index);
            for (int i = 0; i < perThread; i++) {
                var task = new Sleeper();
                registry.enter(task);
                if (random.nextInt(10) > 0) Registry.leave(task);
                else kept.get(index).add(task);
            }
        });
        var expected = new HashSet<Live>();
        kept.forEach(expected::addAll);
        assertEquals(expected, content(registry));
        assertEquals(expected.size(), registry.size());
    }

    private static Set<Live> content(Registry registry) {
        var all = new ArrayList<Live>();
        registry.copyTo(all);
        assertEquals(all.size(), new HashSet<>(all).size(), "a task is there twice");
        return new HashSet<>(all);
    }

    private static final class Sleeper extends Live {
        @Override
        protected void runSlice() {
            throw new AssertionError("only moved about, never run");
        }

        @Override
        protected boolean cancelInside(boolean mayInterruptIfRunning) {
            throw new AssertionError("never cancelled");
        }

        @Override
        protected void cancelForShutdown() {
            throw new AssertionError("never cancelled");
        }

        @Override
        protected @Nullable Thread stackThread() {
            return null;
        }

        @Override
        protected void parkHere(String reason, long deadlineNanos) {
            throw new AssertionError("never parks");
        }

        @Override
        protected void unparkIt() {
            throw new AssertionError("never parked");
        }

        @Override
        protected boolean takeInterruptHere() {
            return false;
        }

        @Override
        protected World world() {
            return World.SYSTEM;
        }

        @Override
        protected void interruptIt() {
            throw new AssertionError("never interrupted");
        }
    }
}
