package dev.coir.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.fiber.Fiber;
import dev.coir.testing.ChildJvm;
import dev.coir.testing.OverflowUnderFibers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A worker whose stack ends under a fiber is still that worker, and runs the next. */
class SwitchOverflowTest {
    @ParameterizedTest
    @EnumSource(Fiber.Kind.class)
    void anOverflowUnderFibersLeavesTheWorkerUsable(Fiber.Kind kind) throws Exception {
        var flags = new ArrayList<>(ChildJvm.FLAGS);
        flags.addAll(List.of("-Xint", "-Xss512k", "-XX:ErrorFile=/dev/null"));
        var child = ChildJvm.run(flags, OverflowUnderFibers.class, kind.name());
        assertTrue(child.output().strip().endsWith("survived, wrong 0"), child::output);
        assertEquals(0, child.exit());
    }
}
