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
        Task task = Task.of(command);
        Task.perform(task);
        assertEquals(List.of("ran"), runs);
        assertEquals("the command", task.toString());
    }

    @Test
    void aNullCommandIsRefused() {
        assertEquals(
                "command",
                assertThrows(NullPointerException.class, () -> Task.of(null)).getMessage());
    }

    @Test
    void whatTheCommandThrowsLeavesPerform() {
        var planted = new IllegalStateException("planted");
        Task task = Task.of(() -> {
            throw planted;
        });
        assertSame(planted, assertThrows(IllegalStateException.class, () -> Task.perform(task)));
    }

    @Test
    void aListIsLinkedInOrderAndTakenApartFromTheFront() {
        Task[] tasks = {Tasks.named("a"), Tasks.named("b"), Tasks.named("c"), Tasks.named("not linked")};
        Task first = Task.link(tasks, 3);
        Task.append(tasks[2], Tasks.named("d"));
        assertEquals(List.of("a", "b", "c", "d"), Tasks.names(first));
        assertNull(Task.unlink(first));
    }
}
