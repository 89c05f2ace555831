package dev.coir.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.junit.jupiter.api.Test;

class OwnFrameTest {
    private static final MethodHandle SHOUT = around("shout", String.class);
    private static final MethodHandle FAIL = around("fail", Exception.class);

    private static MethodHandle around(String name, Class<?> taken) {
        try {
            return OwnFrame.around(MethodHandles.lookup()
                    .findStatic(OwnFrameTest.class, name, MethodType.methodType(String.class, taken)));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedMethod") // SHOUT
    private static String shout(String word) {
        return word + "!";
    }

    @SuppressWarnings("UnusedMethod") // FAIL
    private static String fail(Exception why) throws Exception {
        throw why;
    }

    @Test
    void eachCallsItsOwnMethod() throws Throwable {
        Object shouted = (Object) SHOUT.invokeExact((Object) "hello");
        assertEquals("hello!", shouted);
    }

    @Test
    void whatTheMethodThrowsLeavesItAsItIs() {
        var thrown = new Exception("for a test");
        assertSame(thrown, assertThrows(Exception.class, () -> {
            var _ = (Object) FAIL.invokeExact((Object) thrown);
        }));
    }
}
