package dev.coir.examples;

import dev.coir.coro.Coroutine;

/** Two sides take turns: the caller resumes, the coroutine suspends. Prints step 1 to 4 in order. */
public final class StepByStep {
    private StepByStep() {}

    public static void main(String[] args) {
        Coroutine coroutine = Coroutine.of(() -> {
            System.out.println("Step 2");
            Coroutine.suspend(); // back to the caller, in the middle of this body
            System.out.println("Step 4");
        });
        // The body has not started yet.

        System.out.println("Step 1");
        coroutine.resume(); // runs the body up to its suspend
        System.out.println("Step 3");
        coroutine.resume(); // goes on after the suspend, to the end

        System.out.println(coroutine.isDone() ? "done" : "not done");
    }
}
