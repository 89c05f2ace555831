package dev.coir.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.testing.ChildJvm;
import dev.coir.testing.RoomAtTheEnd;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each question of StackRoom asks for its share, whoever has compiled it: O2 rests on that. Levels of a recursion are compared, and not
 * bytes, which Java cannot see.
 */
class StackRoomTest {
    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:TieredStopAtLevel=3", "-XX:-TieredCompilation"})
    void whoAsksForMoreGetsMore(String compiler) throws Exception {
        List<String> flags = new ArrayList<>(ChildJvm.FLAGS);
        flags.addAll(List.of(compiler, "-Xbatch", "-XX:-StackTraceInThrowable", "-XX:MaxRecursiveInlineLevel=0"));
        flags.add("-XX:CompileCommand=quiet");
        flags.add("-XX:CompileCommand=dontinline," + RoomAtTheEnd.class.getName() + "::ask");
        ChildJvm child = ChildJvm.run(flags, RoomAtTheEnd.class);
        assertEquals(0, child.exit(), child.output());
        double[] levels = Arrays.stream(child.output().strip().split(" "))
                .mapToDouble(Double::parseDouble)
                .toArray();
        double eight = levels[0];
        assertTrue(eight > 0, child.output());
        double[] expected = {8, 16, 28, 72};
        for (int i = 1; i < expected.length; i++)
            assertEquals(
                    expected[i] / expected[0], levels[i] / eight, 0.15 * expected[i] / expected[0], child.output());
        assertTrue(levels[4] < eight / 2, () -> "hasMore throws: " + child.output());
    }
}
