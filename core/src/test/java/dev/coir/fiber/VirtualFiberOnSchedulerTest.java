package dev.coir.fiber;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Fibers of kind VIRTUAL on schedulers of every size and policy. */
@ParameterizedClass
@MethodSource("grounds")
class VirtualFiberOnSchedulerTest extends FiberContract {
    static Stream<Ground> grounds() {
        return Ground.schedulers(Fiber.Kind.VIRTUAL);
    }
}
