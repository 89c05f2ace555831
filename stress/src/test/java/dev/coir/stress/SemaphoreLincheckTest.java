package dev.coir.stress;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.coir.sync.Semaphore;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Whatever threads do to the permits, could it have happened one step after another? What waits is for jcstress. */
class SemaphoreLincheckTest {
    @Test
    void everyHistoryOfTheSemaphoreHasASequentialOne() {
        Doses.modelChecking().sequentialSpecification(Specification.class).check(Real.class);
    }

    @Test
    void permitsReadAndThenWrittenAreFound() {
        assertThrows(
                LincheckAssertionError.class,
                () -> Doses.searchForPlantedBug()
                        .sequentialSpecification(Specification.class)
                        .check(Planted.class));
    }

    @Param(name = "number", gen = IntGen.class, conf = "0:3")
    public static final class Real {
        private final Semaphore semaphore = new Semaphore(1);

        @Operation(params = "number")
        public boolean tryAcquire(int number) {
            return semaphore.tryAcquire(number);
        }

        @Operation(params = "number")
        public void release(int number) {
            semaphore.release(number);
        }

        @Operation(params = "number")
        public void reducePermits(int number) {
            semaphore.reducePermits(number);
        }

        @Operation
        public int drainPermits() {
            return semaphore.drainPermits();
        }

        @Operation
        public int availablePermits() {
            return semaphore.availablePermits();
        }
    }

    /** The mistake: read, then written. */
    @Param(name = "number", gen = IntGen.class, conf = "0:3")
    public static final class Planted {
        private volatile int permits = 1;

        @Operation(params = "number")
        public boolean tryAcquire(int number) {
            int there = permits;
            if (there < number) return false;
            permits = there - number;
            return true;
        }

        @Operation(params = "number")
        public void release(int number) {
            int there = permits;
            permits = there + number;
        }
    }

    /** A semaphore for one thread. */
    public static final class Specification {
        private int permits = 1;

        public boolean tryAcquire(int number) {
            if (permits < number) return false;
            permits -= number;
            return true;
        }

        public void release(int number) {
            permits += number;
        }

        public void reducePermits(int number) {
            permits -= number;
        }

        public int drainPermits() {
            int there = permits;
            permits = 0;
            return there;
        }

        public int availablePermits() {
            return permits;
        }
    }
}
