package dev.coir.internal.sched;

import dev.coir.internal.task.Task;
import dev.coir.internal.trace.Tracing;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What a carrier does when its worker has nothing to run: it searches for a while, and then sleeps. Its thread only. */
final class IdlePath {
    /*
     *   run       what fibers have left to this carrier
     *   look      into the poller, once
     *   search    counted as a searcher: shared queue, mail, timers, poller, victims; a bounded number of rounds
     *   announce  own the poller if it is free, then set the sleep bit, then stop counting as a searcher
     *   rescan    anything runnable, or told to stop: clear the bit and start over
     *   block     in the poller until the next timer, or parked
     *
     * How long it searches depends on what came of it: the processor time of a search in vain makes the next wake-up late (ADR
     * 16). So each of them is followed by one of half the rounds; and a find that the first look would have missed, or a sleep so
     * short that a search would have met its end, by one of all. And whom this thread has just woken may wait for its very
     * processor, so it yields that now and then. Guarded by IdlePathTest.
     *
     * B1. The poller is owned before the sleep bit is set, so whoever clears the bit knows where this thread blocks.
     * B2. Mail for this carrier: the sender links it and then looks at the sleep bit; this thread sets the bit and then looks
     *     at the mailbox. Guarded by CarrierStress.Mail.
     * B3. Whoever clears the bit from outside has counted this thread as a searcher before.
     * B4. While a worker sleeps and there is a timer or something to watch, some thread blocks in the poller or searches; so
     *     timers and events are served though all others run long. Who leaves the poller counts as a searcher, and the last
     *     searcher wakes another before it runs a task, if there is anything for it to do (Group.stopSearching); who
     *     found the poller taken looks again after announcing its sleep; who sets the first timer while nobody polls wakes
     *     somebody. Guarded by WakeStressTest, CarrierStress.LookAgainstSleep, TimerAgainstLeaving and
     *     LeavingAgainstStopping.
     * B5. Who finds work in the rescan counts as a searcher again: as long as it searched, submitters relied on it and woke
     *     nobody, and there may be more than it takes.
     *     Guarded by CarrierTest.whatIsFoundWhileFallingAsleepWakesTheNextSleeper, CarrierStress.SubmitAgainstFinding,
     *     WakeAgainstFinding and RequeueAgainstFinding.
     * B6. The rescan does not look into next-slots, for their owners mostly get to them first (P3 of Worker). One that was
     *     filled after a searcher's last look, and signalled nobody because of it, is seen by the poller's owner.
     *     Guarded by CarrierStress.WakeAgainstSleep and GroupTest.
     * B7. The poller is left by who counts as a searcher already: between the two, each task in a next-slot would wake this
     *     thread, which is awake, and for that its owner would call the operating system. Guarded by GroupTest.
     */
    static final int SEARCH_ROUNDS = 24;
    private static final int SPINS_PER_ROUND = 24;
    private static final int ROUNDS_PER_YIELD = 4;
    private static final long SHORT_SLEEP_NANOS = 50_000; // a longer search would have found what ended it

    private final Carrier carrier;
    private final Group group;
    private boolean searching; // counted as a searcher in WakePolicy
    private int patience = SEARCH_ROUNDS; // rounds before it sleeps: half as many after each search in vain

    IdlePath(Carrier carrier) {
        this.carrier = carrier;
        this.group = carrier.group;
    }

    /** It has something else to do. */
    void endSearch() {
        if (!searching) return;
        searching = false;
        group.stopSearching();
    }

    /** Searches, and sleeps when there is nothing. @return a task to run; null after a sleep, or when there is {@code enough} */
    @Nullable
    Task findOrSleep(BooleanSupplier enough) {
        Task woken = runErrands();
        if (woken != null) return woken;
        Task event = patience > 1 ? look() : null; // else the only round looks
        if (event != null) return event;
        if (!searching) searching = group.wake.tryStartSearching();
        if (searching) {
            int rounds = patience;
            for (int round = 0; round < rounds; round++) {
                if (round > 0) pause(round);
                Task task = group.search(carrier.worker, round == rounds - 1);
                if (task != null) {
                    group.wake.noteUse();
                    if (round > 0) patience = SEARCH_ROUNDS;
                    return task;
                }
                if (enough.getAsBoolean()) return null;
            }
            group.wake.noteVain();
            patience = Math.max(1, rounds >> 1);
        }
        sleep(enough);
        return null;
    }

    private @Nullable Task runErrands() {
        if (carrier.errands.isEmpty()) return null;
        carrier.errands.runAll();
        return carrier.worker.pick(); // one that failed wakes who left it
    }

    /** What has come while there was something to run, when looks were few (Reactor.tend). Most of a busy server's work. */
    private @Nullable Task look() {
        return group.reactor.pollIfWatching(carrier.worker) == 0 ? null : carrier.worker.pick();
    }

    /** Between two rounds; in some of them it lets those run who wait for this processor. Mail may be what it waits for. */
    @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it
    private void pause(int round) {
        if (round % ROUNDS_PER_YIELD == 0) Thread.yield();
        else for (int i = 0; i < SPINS_PER_ROUND && carrier.hasNoMail(); i++) Thread.onSpinWait();
    }

    private void sleep(BooleanSupplier enough) {
        boolean polling = group.reactor.tryOwn(carrier);
        if (polling) group.reactor.beginWatch();
        int slot = carrier.worker.index; // stays while this thread sleeps
        group.wake.announceSleep(slot);
        if (searching) {
            searching = false;
            group.wake.stopSearching();
        }
        try {
            if (!polling) group.reactor.handOverNext(); // B6; before the local queues are looked at: P2 of Worker
            boolean mustStay =
                    carrier.mustGiveWay() || hasWork() || enough.getAsBoolean() || (!polling && group.reactor.isFree());
            if (!mustStay) block(polling);
        } finally { // whatever came in between, even a full heap: who has this bit must not run anything
            awake(slot, polling);
        }
        group.core.noteAwake(); // after the sleep bit is gone: O1 of Monitor
        if (polling) group.reactor.timers.fireDue();
    }

    private void awake(int slot, boolean polling) {
        searching = false;
        try {
            searching = !group.wake.tryClear(slot) // cleared by a waker: it has counted us (B3)
                    || group.wake.tryStartSearching(); // B4, B5
        } finally { // after that (B7), and whatever came: no other could sleep in it
            if (polling) group.reactor.leave(searching);
        }
    }

    private boolean hasWork() {
        return carrier.hasOwnWork() || group.hasWork() || group.hasWorkAbroad();
    }

    private void block(boolean polling) {
        carrier.worker.parked++;
        group.core.noteSleep();
        long from = System.nanoTime();
        Tracing.sleeps(carrier.thread(), polling);
        if (polling) {
            group.reactor.block(carrier.worker);
        } else {
            LockSupport.park(group);
        }
        Tracing.slept(carrier.thread());
        if (System.nanoTime() - from < SHORT_SLEEP_NANOS) patience = SEARCH_ROUNDS;
        if (!carrier.waits.isWorking())
            Thread.interrupted(); // meant for nobody; kept, it would end every further sleep at once
    }
}
