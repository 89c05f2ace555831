package dev.coir.stress;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.coir.channel.Quiet;
import dev.coir.channel.QuietSelect;
import dev.coir.planted.ChannelCountedThenFilled;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Whatever parties do to channels that hold one value, could it have happened one step after another? They wait, but give up
 * at once, so that every operation ends; one that met a partner while it waited is explained by sending first.
 */
class ChannelLincheckTest {
    @Test
    void everyHistoryOfAChannelHasASequentialOne() {
        Doses.modelChecking()
                .threads(2)
                .sequentialSpecification(Specification.class)
                .check(Real.class);
    }

    @Test
    void everyHistoryOfASelectHasASequentialOne() {
        Doses.modelChecking().sequentialSpecification(SelectSpecification.class).check(RealSelect.class);
    }

    @Test
    void roomThatIsCountedBeforeItIsFilledIsFound() {
        assertThrows(
                LincheckAssertionError.class,
                () -> Doses.searchForPlantedBug()
                        .sequentialSpecification(Specification.class)
                        .check(Planted.class));
    }

    @Param(name = "value", gen = IntGen.class, conf = "1:9")
    public static final class Real {
        private final Quiet<Integer> channel = new Quiet<>(1);

        @Operation(params = "value")
        public int send(int value) {
            return Quiet.sendOrGiveUp(channel, value);
        }

        @Operation
        public int receive() {
            return Quiet.receiveOrGiveUp(channel);
        }

        @Operation
        public void close() {
            channel.close();
        }
    }

    @Param(name = "value", gen = IntGen.class, conf = "1:9")
    public static final class Planted {
        private final ChannelCountedThenFilled channel = new ChannelCountedThenFilled();

        @Operation(params = "value")
        public int send(int value) {
            return channel.send(value);
        }

        @Operation
        public int receive() {
            return channel.receive();
        }
    }

    /** A channel for one thread. */
    public static final class Specification {
        private final Queue<Integer> values = new ArrayDeque<>();
        private boolean closed;

        public int send(int value) {
            if (closed) return -1;
            if (!values.isEmpty()) return 0;
            values.add(value);
            return 1;
        }

        public int receive() {
            if (!values.isEmpty()) return values.remove();
            return closed ? -1 : 0;
        }

        public void close() {
            closed = true;
        }
    }

    /** Two channels; a select moves a value from one of them to nowhere, or a value into the other. */
    @Param(name = "value", gen = IntGen.class, conf = "1:9")
    public static final class RealSelect {
        private final Quiet<Integer> a = new Quiet<>(1);
        private final Quiet<Integer> b = new Quiet<>(1);

        @Operation(params = "value")
        public int sendA(int value) {
            return Quiet.sendOrGiveUp(a, value);
        }

        @Operation
        public int receiveB() {
            return Quiet.receiveOrGiveUp(b);
        }

        @Operation(params = "value")
        public int receiveAOrSendB(int value) {
            return QuietSelect.secondOrGiveUp(b.onSend(value, () -> 100), a.onReceive(v -> v));
        }

        @Operation
        public int receiveAny() {
            return QuietSelect.secondOrGiveUp(b.onReceive(v -> v), a.onReceive(v -> v));
        }
    }

    /** Two channels for one thread. */
    public static final class SelectSpecification {
        private int a;
        private int b;

        public int sendA(int value) {
            if (a != 0) return 0;
            a = value;
            return 1;
        }

        public int receiveB() {
            int value = b;
            b = 0;
            return value;
        }

        public int receiveAOrSendB(int value) {
            if (a != 0) return takeA();
            if (b != 0) return 0;
            b = value;
            return 100;
        }

        public int receiveAny() {
            return a != 0 ? takeA() : receiveB();
        }

        private int takeA() {
            int value = a;
            a = 0;
            return value;
        }
    }
}
