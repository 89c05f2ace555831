package dev.coir.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.coir.testing.ChildJvm;
import dev.coir.testing.OverflowAroundResume;
import org.junit.jupiter.api.Test;

/** A stack that ends around a resume is an error of that thread, not the end of the process. */
class CoroutineOverflowTest {
    @Test
    void anOverflowAnywhereAroundResumeLeavesTheThreadUsable() throws Exception {
        var child = ChildJvm.run(ChildJvm.FLAGS, OverflowAroundResume.class);
        assertEquals("survived 3", child.output().strip());
        assertEquals(0, child.exit());
    }
}
