package dev.coir.internal.task;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The invariants M1 to M3 of {@link Mailbox}. */
public final class MailboxStress {
    private MailboxStress() {}

    private static Mailbox beingRead() {
        var box = new Mailbox();
        box.takeAll();
        return box;
    }

    /** M1. Two senders find the box idle: is exactly one of them told to bring a reader, and are both tasks there? */
    @JCStressTest
    @Outcome(id = "true, false, 12", expect = ACCEPTABLE, desc = "the first was first")
    @Outcome(id = "false, true, 21", expect = ACCEPTABLE, desc = "the second was first")
    @Outcome(expect = FORBIDDEN, desc = "no reader, two readers, or a task lost")
    @State
    public static class OneReader {
        private final Mailbox box = new Mailbox();

        @Actor
        public void first(ZZI_Result r) {
            r.r1 = box.send(new Numbered(1));
        }

        @Actor
        public void second(ZZI_Result r) {
            r.r2 = box.send(new Numbered(2));
        }

        @Arbiter
        public void reader(ZZI_Result r) {
            r.r3 = Numbered.digits(box.takeAll());
        }
    }

    /** M1. A send races the reader's tryIdle: does one of the two know of the task? */
    @JCStressTest
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "idle first: the sender brings a reader")
    @Outcome(id = "false, false", expect = ACCEPTABLE, desc = "sent first: the reader stays")
    @Outcome(id = "false, true", expect = FORBIDDEN, desc = "the task is lost")
    @Outcome(expect = FORBIDDEN, desc = "two readers")
    @State
    public static class SendAgainstIdle {
        private final Mailbox box = beingRead();

        @Actor
        public void sender(ZZ_Result r) {
            r.r1 = box.send(new Numbered(1));
        }

        @Actor
        public void reader(ZZ_Result r) {
            r.r2 = box.tryIdle();
        }
    }

    /** M1. Who is told to bring a reader is one, until the box is idle: is every task taken once, and by one reader? */
    @JCStressTest
    @Outcome(id = "4, 0", expect = ACCEPTABLE, desc = "each task once, one reader at a time")
    @Outcome(expect = FORBIDDEN, desc = "a task lost or taken twice, or two readers at once")
    @State
    public static class WhoFindsItIdleReads {
        private final Mailbox box = new Mailbox();
        private int taken; // plain on purpose: the one reader's
        private int readers; // likewise
        private int overlaps;

        @Actor
        public void first() {
            send();
            send();
        }

        @Actor
        public void second() {
            send();
            send();
        }

        @Arbiter
        public void afterwards(II_Result r) {
            r.r1 = taken;
            r.r2 = overlaps + (box.isIdle() ? 0 : 100);
        }

        private void send() {
            if (!box.send(new Numbered(1))) return;
            do {
                if (++readers != 1) overlaps++;
                for (Task each = box.takeAll(); each != null; each = Tasks.unlink(each)) taken++;
                readers--;
            } while (!box.tryIdle());
        }
    }

    /** M2. Does the reader see what the sender wrote before it sent? */
    @JCStressTest
    @Outcome(id = "-1", expect = ACCEPTABLE, desc = "not sent yet")
    @Outcome(id = "7", expect = ACCEPTABLE, desc = "sent and seen")
    @Outcome(expect = FORBIDDEN, desc = "the task is there, what it carries is not")
    @State
    public static class Publication {
        private final Mailbox box = beingRead();
        private final Numbered task = new Numbered(1);

        @Actor
        public void sender() {
            task.payload = 7;
            box.send(task);
        }

        @Actor
        public void reader(I_Result r) {
            var taken = (@Nullable Numbered) box.takeAll();
            r.r1 = taken == null ? -1 : taken.payload;
        }
    }

    /** M2, through the idle state. Does the next reader see what the last one wrote before it left? */
    @JCStressTest
    @Outcome(id = "-1", expect = ACCEPTABLE, desc = "the last reader is still there")
    @Outcome(id = "7", expect = ACCEPTABLE, desc = "it left, and its writes are seen")
    @Outcome(expect = FORBIDDEN, desc = "it left, its writes are not seen")
    @State
    public static class ReaderToReader {
        private final Mailbox box = beingRead();
        private int written;

        @Actor
        public void lastReader() {
            written = 7;
            box.tryIdle();
        }

        @Actor
        public void nextReader(I_Result r) {
            r.r1 = box.send(new Numbered(1)) ? written : -1;
        }
    }

    /** M3. A reader takes while one sender sends 1, 2, 3: do they come out in that order? */
    @JCStressTest
    @Outcome(
            id = {"0, 0, 123", "0, 1, 23", "0, 12, 3", "0, 123, 0", "1, 0, 23", "1, 2, 3", "1, 23, 0"},
            expect = ACCEPTABLE,
            desc = "in order")
    @Outcome(
            id = {"12, 0, 3", "12, 3, 0", "123, 0, 0"},
            expect = ACCEPTABLE,
            desc = "in order")
    @Outcome(expect = FORBIDDEN, desc = "out of order, lost or doubled")
    @State
    public static class OrderOfOneSender {
        private final Mailbox box = beingRead();

        @Actor
        public void sender() {
            for (int i = 1; i <= 3; i++) box.send(new Numbered(i));
        }

        @Actor
        public void reader(III_Result r) {
            r.r1 = Numbered.digits(box.takeAll());
            r.r2 = Numbered.digits(box.takeAll());
        }

        @Arbiter
        public void rest(III_Result r) {
            r.r3 = Numbered.digits(box.takeAll());
        }
    }

    /** M3. One sends 1, 2, the other 3, 4: whatever the mixture, is each one's order kept? */
    @JCStressTest
    @Outcome(
            id = {"1234", "1324", "1342", "3124", "3142", "3412"},
            expect = ACCEPTABLE,
            desc = "1 before 2, 3 before 4")
    @Outcome(expect = FORBIDDEN, desc = "out of order, lost or doubled")
    @State
    public static class OrderOfTwoSenders {
        private final Mailbox box = new Mailbox();

        @Actor
        public void first() {
            box.send(new Numbered(1));
            box.send(new Numbered(2));
        }

        @Actor
        public void second() {
            box.send(new Numbered(3));
            box.send(new Numbered(4));
        }

        @Arbiter
        public void reader(I_Result r) {
            r.r1 = Numbered.digits(box.takeAll());
        }
    }
}
