package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicReference;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The mistake: the reader looks whether the box is empty and then writes that it is idle, over a task that came between. */
public final class MailboxIdleWithoutCas {
    private static final String READING = "reading";
    private final AtomicReference<String> newest = new AtomicReference<>(READING);

    public boolean send(String task) {
        return newest.getAndSet(task).isEmpty();
    }

    public boolean tryIdle() {
        if (!newest.get().equals(READING)) return false;
        newest.set("");
        return true;
    }

    /** MailboxStress.SendAgainstIdle, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"true, true", "false, false"},
            expect = ACCEPTABLE,
            desc = "one knows of the task")
    @Outcome(expect = FORBIDDEN, desc = "the task is lost")
    @State
    public static class Planted {
        private final MailboxIdleWithoutCas box = new MailboxIdleWithoutCas();

        @Actor
        public void sender(ZZ_Result r) {
            r.r1 = box.send("task");
        }

        @Actor
        public void reader(ZZ_Result r) {
            r.r2 = box.tryIdle();
        }
    }
}
