package dev.coir.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import jdk.internal.vm.annotation.DontInline;
import org.jspecify.annotations.Nullable;

/**
 * Calls one method, which is constant, and is not inlined itself. The JIT heeds that wish in classes of the JDK only, so it works
 * as one, where {@link InsideJdk} puts it. For {@link OwnFrame} alone.
 */
final class FrameApart {
    private static final MethodHandle CALLED;

    static {
        try {
            CALLED = MethodHandles.classData(MethodHandles.lookup(), "_", MethodHandle.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private FrameApart() {}

    @DontInline
    @SuppressWarnings("UnusedMethod") // OwnFrame finds it
    private static @Nullable Object call(@Nullable Object argument) throws Throwable {
        return (@Nullable Object) CALLED.invokeExact(argument);
    }
}
