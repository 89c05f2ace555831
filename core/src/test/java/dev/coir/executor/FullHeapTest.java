package dev.coir.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.coir.fiber.Fiber;
import dev.coir.testing.ChildJvm;
import dev.coir.testing.FullAtBegin;
import dev.coir.testing.FullHeap;
import java.util.ArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A heap that is full for a while ends fibers that need memory then, and neither workers nor the others. */
class FullHeapTest {
    @ParameterizedTest
    @EnumSource
    void whoeverIsNotRefusedGoesOnWhenThereIsRoomAgain(Fiber.Kind kind) throws Exception {
        assertEquals("stuck: 0", lastLineOf(FullHeap.class, kind));
    }

    /** R4 of OwnFibers. */
    @ParameterizedTest
    @EnumSource
    void whoCannotBeginForWantOfMemoryBeginsLater(Fiber.Kind kind) throws Exception {
        assertEquals("stuck: 0", lastLineOf(FullAtBegin.class, kind));
    }

    private static String lastLineOf(Class<?> program, Fiber.Kind kind) throws Exception {
        var flags = new ArrayList<>(ChildJvm.FLAGS);
        flags.add("-Xmx48m");
        var child = ChildJvm.run(flags, program, kind.name());
        return child.output().strip().lines().reduce("", (before, line) -> line);
    }
}
