package dev.coir.examples;

import dev.coir.coro.Coroutine;

/** A coroutine stops in the middle, at any depth, and goes on from there. */
final class CoroutineTour implements Section {
    @Override
    public String name() {
        return "coroutine";
    }

    @Override
    public String title() {
        return "A coroutine in four steps";
    }

    @Override
    public void run(Screen screen) {
        screen.say("""
                A coroutine is a call that can stop in the middle and go on later.
                The caller resumes it, it suspends itself: they take turns on one thread.""");
        screen.gap();
        Coroutine coroutine = Coroutine.of(() -> {
            screen.show("           coroutine: step 2, then suspend, three calls deep");
            suspendBelow(3);
            screen.show("           coroutine: step 4, and the body ends");
        });
        screen.show("caller: step 1, then resume");
        coroutine.resume();
        screen.show("caller: step 3, then resume again");
        coroutine.resume();
        screen.show("caller: is it done? " + coroutine.isDone());
    }

    private static void suspendBelow(int calls) {
        if (calls == 0) Coroutine.suspend();
        else suspendBelow(calls - 1);
    }
}
