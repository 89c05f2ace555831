package dev.coir.fiber;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Fibers on executors that are not Coir's schedulers. */
@ParameterizedClass
@MethodSource("grounds")
class FiberOnForeignExecutorTest extends FiberContract {
    static Stream<Ground> grounds() {
        return Ground.foreign();
    }
}
