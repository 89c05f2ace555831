package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The mistake: "has tasks" and "has a reader" are two words, written with release and read with acquire. The sender's
 * write and the reader's may both be seen late (a store passes a later load), and the task lies in a box without reader.
 * No interleaving shows it, only weak memory does.
 */
public final class MailboxOfTwoWords {
    private final AtomicInteger tasks = new AtomicInteger();
    private final AtomicBoolean reading = new AtomicBoolean(true);

    /** Whether the sender must bring a reader. */
    public boolean send() {
        tasks.setRelease(1);
        return !reading.getAcquire();
    }

    /** Whether the reader may go: it comes back when a task came just before. */
    public boolean tryIdle() {
        reading.setRelease(false);
        return tasks.getAcquire() == 0;
    }

    /** MailboxStress.SendAgainstIdle, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"true, true", "false, false", "true, false"},
            expect = ACCEPTABLE,
            desc = "at least one knows of the task")
    @Outcome(expect = FORBIDDEN, desc = "the task is lost")
    @State
    public static class Planted {
        private final MailboxOfTwoWords box = new MailboxOfTwoWords();

        @Actor
        public void sender(ZZ_Result r) {
            r.r1 = box.send();
        }

        @Actor
        public void reader(ZZ_Result r) {
            r.r2 = box.tryIdle();
        }
    }
}
