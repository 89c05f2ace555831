package dev.coir.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentArgumentsTest {
    @Test
    void withoutArgumentsEveryClassOfTheApplicationPolls() {
        var none = AgentArguments.parse(null);
        assertTrue(none.wantsPolls("com.acme.Main"));
        assertTrue(none.polls());
        assertEquals(none, AgentArguments.parse(""));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "include=com.acme.**, com.acme.Main, true",
                "include=com.acme.**, com.acme.a.b.C$D, true",
                "include=com.acme.**, com.acmes.Main, false",
                "include=com.acme.*, com.acme.Main$Inner, true",
                "include=com.acme.*, com.acme.a.Main, false",
                "include=com.acme.Main, com.acme.Main, true",
                "include=com.acme.Main, com.acme.Main$Inner, true",
                "include=com.acme.Main, com.acme.Mainly, false",
                "include=a.*:b.*, b.C, true",
                "\"include=a.*,include=b.*\", b.C, true",
                "\"include=com.acme.**,exclude=com.acme.gen.**\", com.acme.gen.X, false",
                "\"include=com.acme.**,exclude=com.acme.gen.**\", com.acme.X, true",
                "exclude=com.acme.Hot, com.acme.Hot, false",
                "exclude=com.acme.Hot, com.acme.Cold, true",
            })
    void patternsMeanWhatTheySay(String arguments, String className, boolean wanted) {
        assertEquals(wanted, AgentArguments.parse(arguments).wantsPolls(className));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "inclde=a.*",
                "include",
                "include=",
                "include=*",
                "include=a.*.b",
                "exclude=a/b",
                "polls=no",
                "verbose",
                ","
            })
    void nonsenseIsNamedWithItsCure(String arguments) {
        var refusal = assertThrows(IllegalArgumentException.class, () -> AgentArguments.parse(arguments));
        assertTrue(refusal.getMessage().contains("(expected: "), refusal.getMessage());
        String value = arguments.substring(arguments.indexOf('=') + 1);
        assertTrue(refusal.getMessage().contains("'"), refusal.getMessage());
        if (arguments.contains("=")) assertTrue(refusal.getMessage().contains(value), refusal.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.util.List",
                "jdk.internal.X",
                "dev.coir.fiber.Fiber",
                "dev.coir.internal.sched.Carrier",
                "org.junit.X",
                "a.jmh_generated.B"
            })
    void theJdkCoirAndTestRunnersAreNeverWoven(String name) {
        assertFalse(Weaver.isOurs(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"com.acme.Main", "dev.coir.examples.Demo", "Main", "dev.coirs.X"})
    void applicationsAreWoven(String name) {
        assertTrue(Weaver.isOurs(name));
    }
}
