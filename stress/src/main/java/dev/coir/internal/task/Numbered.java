package dev.coir.internal.task;

import org.jspecify.annotations.Nullable;

/** A task that a result can name: 1 to 9. Lists of them are written as digits, the first taken first. */
final class Numbered extends Task {
    final int number;
    int payload; // plain on purpose: written before a task is queued, read after it was taken

    Numbered(int number) {
        this.number = number;
    }

    @Override
    protected void runSlice() {
        throw new AssertionError("task " + number + " is only moved about, never run");
    }

    static int number(@Nullable Task task) {
        return task == null ? 0 : ((Numbered) task).number;
    }

    /** A list as it comes from {@link Mailbox#takeAll}. */
    static int digits(@Nullable Task list) {
        int digits = 0;
        for (Task each = list; each != null; each = Tasks.unlink(each)) digits = 10 * digits + number(each);
        return digits;
    }

    static int digits(@Nullable Task[] tasks, int count) {
        int digits = 0;
        for (int i = 0; i < count; i++) digits = 10 * digits + number(tasks[i]);
        return digits;
    }
}
