package dev.coir.internal.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commands as tasks. */
class TaskTest {
    @Test
    void aCommandBecomesATaskThatRunsItAndBearsItsName() {
        var runs = new ArrayList<String>();
        var command = new Runnable() {
            @Override
            public void run() {
                runs.add("ran");
            }

            @Override
            public String toString() {
                return "the command";
            }
        };
        Task task = Tasks.of(command);
        Tasks.perform(task);
        assertEquals(List.of("ran"), runs);
        assertEquals("the command", task.toString());
    }

    @Test
    void aNullCommandIsRefused() {
        assertEquals(
                "command",
                assertThrows(NullPointerException.class, () -> Tasks.of(null)).getMessage());
    }

    @Test
    void whatTheCommandThrowsLeavesPerform() {
        var planted = new IllegalStateException("planted");
        Task task = Tasks.of(() -> {
            throw planted;
        });
        assertSame(planted, assertThrows(IllegalStateException.class, () -> Tasks.perform(task)));
    }

    @Test
    void aListIsLinkedInOrderAndTakenApartFromTheFront() {
        Task first = NamedTasks.named("a");
        Task second = NamedTasks.named("b");
        Tasks.append(first, second);
        Tasks.append(second, NamedTasks.named("c"));
        assertEquals(List.of("a", "b", "c"), NamedTasks.names(first));
        assertNull(Tasks.unlink(first));
    }
}
