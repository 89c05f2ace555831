package dev.coir.internal.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Many tasks as one: what goes in, in which order it comes out, and what does not fit. */
class SheafTest {
    private static RunRing ring(int capacity, String... names) {
        var ring = new RunRing(capacity);
        for (Task each : NamedTasks.allNamed(names)) ring.push(each);
        return ring;
    }

    private static List<String> takeAll(Sheaf sheaf) {
        var names = new ArrayList<String>();
        while (sheaf.size() != 0) names.add(sheaf.takeFirst().toString());
        return names;
    }

    @Test
    void itsTasksComeOutInTheirOrder() {
        var sheaf = Sheaf.of(NamedTasks.allNamed("a", "b", "c"));
        assertEquals(3, sheaf.size());
        assertEquals(List.of("a", "b", "c"), takeAll(sheaf));
    }

    @Test
    void itIsFilledWithTheOlderHalfOfAQueueAndTheOneThatFoundNoRoom() {
        var full = ring(4, "a", "b", "c", "d");
        var sheaf = new Sheaf(513);
        sheaf.fill(full, NamedTasks.named("e"));
        assertEquals(2, full.size());
        assertEquals(List.of("a", "b", "e"), takeAll(sheaf));
    }

    @Test
    void aSmallOneTakesAsMuchAsItHolds() {
        var sheaf = new Sheaf(2);
        sheaf.fill(ring(8, "a", "b", "c", "d", "e", "f"), NamedTasks.named("last"));
        assertEquals(List.of("a", "last"), takeAll(sheaf));
    }

    @Test
    void itCanBeFilledAgainWhenItIsEmptyAndOnlyThen() {
        var sheaf = new Sheaf(3);
        for (int i = 0; i < 3; i++) {
            sheaf.fill(ring(4, "a"), NamedTasks.named("b"));
            var refusal =
                    assertThrows(IllegalStateException.class, () -> sheaf.fill(ring(4, "c"), NamedTasks.named("d")));
            assertEquals("a sheaf is filled when it is empty: Sheaf[2 tasks]", refusal.getMessage());
            assertEquals(List.of("a", "b"), takeAll(sheaf));
        }
    }

    @Test
    void itMovesToAQueueAsFarAsThereIsRoom() {
        var sheaf = Sheaf.of(NamedTasks.allNamed("a", "b", "c", "d"));
        sheaf.takeFirst();
        var ring = ring(4, "x", "y");
        sheaf.moveTo(ring);
        assertEquals(4, ring.size());
        assertEquals(List.of("d"), takeAll(sheaf));
        sheaf.moveTo(new RunRing(2));
        assertEquals(0, sheaf.size());
    }

    @Test
    void nothingFitsWhereAllShareOneQueue() {
        var sheaf = Sheaf.of(NamedTasks.allNamed("a", "b"));
        sheaf.moveTo(LocalQueue.NONE);
        assertEquals(2, sheaf.size());
    }

    @Test
    void itIsNotRun() {
        var sheaf = Sheaf.of(NamedTasks.allNamed("a"));
        var misuse = assertThrows(AssertionError.class, () -> Tasks.perform(sheaf));
        assertEquals("Sheaf[1 tasks] is not to be run, but its tasks", misuse.getMessage());
    }
}
