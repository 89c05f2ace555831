package dev.coir.testing;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Blocks the thread inside native code, where the JVM takes it for running. */
public final class NativeSleep {
    @SuppressWarnings("restricted")
    private static final MethodHandle USLEEP = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("usleep"),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    private NativeSleep() {}

    public static void micros(int micros) {
        try {
            int ignored = (int) USLEEP.invokeExact(micros);
        } catch (Throwable failure) {
            throw new AssertionError(failure);
        }
    }
}
