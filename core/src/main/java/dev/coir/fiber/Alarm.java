package dev.coir.fiber;

import dev.coir.internal.sched.Timer;
import dev.coir.internal.task.Live;
import dev.coir.internal.task.Party;

/** Wakes a fiber so that it looks at the clock. */
final class Alarm extends Timer {
    private final Live fiber;

    Alarm(Live fiber) {
        this.fiber = fiber;
    }

    @Override
    protected void fire() {
        Party.unpark(fiber);
    }
}
