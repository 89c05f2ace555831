package dev.coir.internal.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.testing.Crowd;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Order, and who must bring a reader. */
class MailboxTest {
    private final Mailbox mailbox = new Mailbox();

    private boolean send(String name) {
        return mailbox.send(NamedTasks.named(name));
    }

    @Test
    void aNewOneIsIdleAndEmpty() {
        assertTrue(mailbox.isIdle());
        assertNull(mailbox.takeAll());
    }

    @Test
    void onlyTheFirstSenderMustBringAReader() {
        assertTrue(send("a"));
        assertFalse(send("b"));
        assertFalse(send("c"));
        assertFalse(mailbox.isIdle());
    }

    @Test
    void tasksComeOutOldestFirst() {
        for (String name : List.of("a", "b", "c")) send(name);
        assertEquals(List.of("a", "b", "c"), NamedTasks.names(mailbox.takeAll()));
        assertNull(mailbox.takeAll());
    }

    @Test
    void whatIsSentWhileReadingNeedsNoOtherReader() {
        assertTrue(send("a"));
        assertEquals(List.of("a"), NamedTasks.names(mailbox.takeAll()));
        assertFalse(mailbox.isIdle());
        assertFalse(send("b"));
        assertFalse(send("c"));
        assertFalse(mailbox.tryIdle());
        assertEquals(List.of("b", "c"), NamedTasks.names(mailbox.takeAll()));
        assertTrue(mailbox.tryIdle());
        assertTrue(mailbox.isIdle());
    }

    @Test
    void afterIdlingTheNextSenderMustBringAReaderAgain() {
        for (int round = 0; round < 3; round++) {
            assertTrue(send("a"));
            assertEquals(List.of("a"), NamedTasks.names(mailbox.takeAll()));
            assertTrue(mailbox.tryIdle());
        }
    }

    @Test
    void tryIdleOfAnIdleOrUnreadBoxIsFalse() {
        assertFalse(mailbox.tryIdle());
        send("a");
        assertFalse(mailbox.tryIdle());
        assertEquals(List.of("a"), NamedTasks.names(mailbox.takeAll()));
    }

    @Test
    void aTaskTakenOutMayBeSentAgain() {
        Task task = NamedTasks.named("a");
        mailbox.send(task);
        send("b");
        Task rest = Tasks.unlink(mailbox.takeAll());
        assertFalse(mailbox.send(task));
        assertEquals(List.of("b"), NamedTasks.names(rest));
        assertEquals(List.of("a"), NamedTasks.names(mailbox.takeAll()));
    }

    @Test
    void manySendersOneReaderNothingLost() throws Exception {
        int senders = 3;
        int each = 20_000;
        var readers = new AtomicInteger();
        var most = new AtomicInteger();
        var taken = new AtomicInteger();
        Crowd.run(senders, sender -> {
            for (int n = 0; n < each; n++) {
                if (!mailbox.send(NamedTasks.numbered(n))) continue;
                most.accumulateAndGet(readers.incrementAndGet(), Math::max);
                do taken.addAndGet(NamedTasks.names(mailbox.takeAll()).size());
                while (!leave(readers));
            }
        });
        assertEquals(1, most.get());
        assertEquals(senders * each, taken.get());
        assertTrue(mailbox.isIdle());
    }

    /** Counts the reader out before the box may be idle, and in again when it was not. */
    private boolean leave(AtomicInteger readers) {
        readers.decrementAndGet();
        if (mailbox.tryIdle()) return true;
        readers.incrementAndGet();
        return false;
    }
}
