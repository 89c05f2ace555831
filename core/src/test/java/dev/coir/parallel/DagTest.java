package dev.coir.parallel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.sync.Barrier;
import dev.coir.testing.Crowd;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DagTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void eachNodeRunsOnceAfterThoseBeforeItInEveryRun(int workers) {
        var random = new Random(7);
        int size = 200;
        var done = new AtomicInteger[size];
        var builder = Dag.builder();
        List<Dag.Node> nodes = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            int number = i;
            done[i] = new AtomicInteger();
            List<Integer> earlier = new ArrayList<>();
            for (int j = 0; j < random.nextInt(4) && i > 0; j++) earlier.add(random.nextInt(i));
            nodes.add(builder.node(
                    () -> {
                        for (int each : earlier) assertEquals(done[number].get() + 1, done[each].get());
                        done[number].incrementAndGet();
                    },
                    earlier.stream().map(nodes::get).toArray(Dag.Node[]::new)));
        }
        Dag dag = builder.build();
        ParallelTest.inFibers(workers, () -> {
            for (int run = 0; run < 5; run++) dag.run();
        });
        dag.run();
        for (AtomicInteger each : done) assertEquals(11, each.get());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatCanRunAtOnceDoes(int workers) {
        ParallelTest.inFibers(workers, () -> {
            var barrier = new Barrier(3);
            List<String> order = Collections.synchronizedList(new ArrayList<>());
            var builder = Dag.builder();
            var first = builder.node("first", () -> order.add("first"));
            Dag.Node[] middle = new Dag.Node[3];
            for (int i = 0; i < 3; i++) {
                middle[i] = builder.node(
                        "middle " + i,
                        () -> {
                            try {
                                barrier.await();
                            } catch (Exception e) {
                                throw new AssertionError(e);
                            }
                            order.add("middle");
                        },
                        first);
            }
            builder.node("last", () -> order.add("last"), middle);
            builder.build().run();
            assertEquals(List.of("first", "middle", "middle", "middle", "last"), order);
        });
    }

    @Test
    void severalMayRunItAtATime() throws Exception {
        var count = new AtomicInteger();
        var builder = Dag.builder();
        var a = builder.node(count::incrementAndGet);
        builder.node(count::incrementAndGet, a, builder.node(count::incrementAndGet));
        Dag dag = builder.build();
        Crowd.run(4, i -> {
            for (int run = 0; run < 20; run++) dag.run();
        });
        assertEquals(240, count.get());
        assertEquals("Dag[node 0, node 1, node 2]", dag.toString());
        Dag.builder().build().run();
    }

    @Test
    void aCircleIsRefusedByName() {
        var builder = Dag.builder();
        var a = builder.node("a", () -> {});
        var b = builder.node("b", () -> {}, a);
        var c = builder.node("c", () -> {}, b);
        builder.node("d", () -> {}, c);
        a.after(c);
        var refusal = assertThrows(IllegalStateException.class, builder::build);
        assertTrue(
                refusal.getMessage()
                        .matches("nodes wait for each other: (a -> b -> c -> a|b -> c -> a -> b|c -> a -> b -> c)"),
                refusal::getMessage);
        var alone = Dag.builder();
        var self = alone.node("self", () -> {});
        self.after(self);
        assertEquals(
                "nodes wait for each other: self -> self",
                assertThrows(IllegalStateException.class, alone::build).getMessage());
    }

    @Test
    void misuseIsRefused() {
        var builder = Dag.builder();
        var stranger = Dag.builder().node(() -> {});
        assertThrows(IllegalArgumentException.class, () -> builder.node(() -> {}, stranger));
        var node = builder.node(() -> {});
        assertThrows(NullPointerException.class, () -> builder.node("x", null));
        builder.build();
        assertThrows(IllegalStateException.class, builder::build);
        assertThrows(IllegalStateException.class, () -> builder.node(() -> {}));
        assertThrows(IllegalStateException.class, () -> node.after(node));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void afterAFailureNothingBeginsAndTheNextRunIsAFreshOne(int workers) {
        ParallelTest.inFibers(workers, () -> {
            var thrown = new IllegalStateException("why");
            var fails = new boolean[] {true};
            var after = new AtomicInteger();
            var builder = Dag.builder();
            var first = builder.node(() -> {
                if (fails[0]) throw thrown;
            });
            builder.node(after::incrementAndGet, first);
            Dag dag = builder.build();
            assertSame(thrown, assertThrows(IllegalStateException.class, dag::run));
            assertEquals(0, after.get());
            fails[0] = false;
            dag.run();
            assertEquals(1, after.get());
        });
    }
}
