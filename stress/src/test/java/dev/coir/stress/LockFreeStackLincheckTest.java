package dev.coir.stress;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.coir.internal.task.LockFreeStack;
import dev.coir.planted.StackOfReusedNodes;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Whatever threads do to the stack, could it have happened one step after another? */
class LockFreeStackLincheckTest {
    @Test
    void everyHistoryOfTheStackHasASequentialOne() {
        Doses.modelChecking()
                .checkObstructionFreedom(true)
                .sequentialSpecification(Specification.class)
                .check(Real.class);
    }

    @Test
    void aReusedNodeIsFound() {
        assertThrows(
                LincheckAssertionError.class,
                () -> Doses.searchForPlantedBug()
                        .sequentialSpecification(Specification.class)
                        .check(Planted.class));
    }

    @Param(name = "value", gen = IntGen.class, conf = "1:9")
    public static final class Real {
        private final LockFreeStack<Integer> stack = new LockFreeStack<>();

        @Operation(params = "value")
        public void push(int value) {
            stack.push(value);
        }

        @Operation
        public int pop() {
            Integer value = stack.pop();
            return value == null ? 0 : value;
        }

        @Operation
        public boolean isEmpty() {
            return stack.isEmpty();
        }
    }

    @Param(name = "value", gen = IntGen.class, conf = "1:9")
    public static final class Planted {
        private final StackOfReusedNodes stack = new StackOfReusedNodes();

        @Operation(params = "value")
        public void push(int value) {
            stack.push(value);
        }

        @Operation
        public int pop() {
            return stack.pop();
        }
    }

    /** A stack for one thread. */
    public static final class Specification {
        private final Deque<Integer> stack = new ArrayDeque<>();

        public void push(int value) {
            stack.push(value);
        }

        public int pop() {
            return stack.isEmpty() ? 0 : stack.pop();
        }

        public boolean isEmpty() {
            return stack.isEmpty();
        }
    }
}
