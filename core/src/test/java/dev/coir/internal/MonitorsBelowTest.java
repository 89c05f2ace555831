package dev.coir.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.coir.testing.ChildJvm;
import dev.coir.testing.MonitorsUnderStacks;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is locked stays locked while stacks come and go on top of it. */
@EnabledOnOs(OS.LINUX)
class MonitorsBelowTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "coroutine",
                "bound VIRTUAL",
                "bound LIGHT",
                "task VIRTUAL",
                "task LIGHT",
                "manual VIRTUAL",
                "manual LIGHT",
                "below"
            })
    void aMonitorStaysWithWhoHoldsIt(String what) throws Exception {
        var flags = new ArrayList<>(ChildJvm.FLAGS);
        flags.addAll(List.of("-Dcoir.strict=false", "-XX:ErrorFile=/dev/null"));
        var child = ChildJvm.run(flags, MonitorsUnderStacks.class, what.split(" "));
        assertEquals("right", child.output().strip());
        assertEquals(0, child.exit());
    }
}
