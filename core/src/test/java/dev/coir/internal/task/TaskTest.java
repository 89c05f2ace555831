package dev.coir.internal.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commands as tasks. */
class TaskTest {
    @Test
    void aTaskIsItsOwnTask() {
        Task task = Tasks.named("a");
        assertSame(task, Task.of(task));
    }

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
        task.run();
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
    void runReportingHandsAFailureToTheThreadsHandler() {
        List<Throwable> uncaught = new ArrayList<>();
        Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> uncaught.add(failure));
        var planted = new IllegalStateException("planted");
        Task.of(() -> {
                    throw planted;
                })
                .runReporting();
        assertEquals(List.of(planted), uncaught);
    }
}
