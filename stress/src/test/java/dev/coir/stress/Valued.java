package dev.coir.stress;

import dev.coir.internal.task.Task;

/** A task that carries a value and is only moved about. */
final class Valued extends Task {
    final int value;

    Valued(int value) {
        this.value = value;
    }

    @Override
    protected void runSlice() {
        throw new AssertionError("task " + value + " is only moved about, never run");
    }
}
