package dev.coir.stress;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.coir.internal.task.Mailbox;
import dev.coir.internal.task.Task;
import dev.coir.internal.task.Tasks;
import dev.coir.planted.MailboxSentWithoutCas;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** Whatever two senders and a reader do to a mailbox, could it have happened one step after another? */
class MailboxLincheckTest {
    @Test
    void everyHistoryOfTheMailboxHasASequentialOne() {
        Doses.modelChecking()
                .checkObstructionFreedom(true)
                .sequentialSpecification(Specification.class)
                .check(Real.class);
    }

    @Test
    void aSendWithoutCompareAndSetIsFound() {
        assertThrows(
                LincheckAssertionError.class,
                () -> Doses.searchForPlantedBug()
                        .sequentialSpecification(Specification.class)
                        .check(Planted.class));
    }

    public static final class Real {
        private final Mailbox box = new Mailbox();

        @Operation
        public boolean send(int value) {
            return box.send(new Valued(value));
        }

        @Operation(nonParallelGroup = "reader")
        public List<Integer> takeAll() {
            var values = new ArrayList<Integer>();
            for (Task each = box.takeAll(); each != null; each = Tasks.unlink(each)) values.add(((Valued) each).value);
            return values;
        }

        @Operation(nonParallelGroup = "reader")
        public boolean tryIdle() {
            return box.tryIdle();
        }
    }

    public static final class Planted {
        private final MailboxSentWithoutCas box = new MailboxSentWithoutCas();

        @Operation
        public boolean send(int value) {
            return box.send(value);
        }

        @Operation(nonParallelGroup = "reader")
        public List<Integer> takeAll() {
            return box.takeAll();
        }

        @Operation(nonParallelGroup = "reader")
        public boolean tryIdle() {
            return box.tryIdle();
        }
    }

    /** A mailbox for one thread. */
    public static final class Specification {
        private final List<Integer> sent = new ArrayList<>();
        private boolean reading;

        public boolean send(int value) {
            sent.add(value);
            return sent.size() == 1 && !reading;
        }

        public List<Integer> takeAll() {
            reading = true;
            var taken = List.copyOf(sent);
            sent.clear();
            return taken;
        }

        public boolean tryIdle() {
            if (!reading || !sent.isEmpty()) return false;
            reading = false;
            return true;
        }
    }
}
