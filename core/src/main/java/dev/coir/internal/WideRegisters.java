package dev.coir.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** The vector registers of the processor that the calling thread runs on. */
final class WideRegisters {
    /*
     * X1. On x86 somebody has to say when the upper parts of these registers are not in use any more (vzeroupper): as long as they are,
     *     older instructions for the lower parts cost far more on some processors. Code that C2 has made says it before it
     *     returns, and before it calls native code; not before it enters a continuation's stack. There the JVM, which is compiled to the
     *     older instructions, puts frames back: 190 ns on an Intel Xeon, half of a LIGHT round trip. With AVX-512, C2 uses the
     *     upper parts for objects as small as a wait.
     * X2. A copy of no bytes does it: it is a routine of the JVM, written in assembler, that ends with that instruction. Called so often
     *     beforehand that nothing is prepared amid a switch (T5 of ThreadSwitch).
     *
     * Rejected: a method of ours that the JIT does not inline and that uses such registers itself, for it ends with that instruction,
     *     too, and is cheaper. C2 uses them as it likes.
     */
    private static final int AVX_512_BYTES = 64;
    private static final int OFTEN = 150;
    private static final @Nullable MethodHandle COPY = find();

    static {
        for (int i = 0; i < OFTEN; i++) release();
    }

    private WideRegisters() {}

    /** Nothing is in the upper parts any more. Does nothing where that would gain nothing. */
    static void release() {
        if (COPY == null) return;
        try {
            COPY.invokeExact((Object) null, 0L, (Object) null, 0L, 0L);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    private static @Nullable MethodHandle find() {
        try {
            return bytes() < AVX_512_BYTES ? null : copy();
        } catch (Throwable notToBeHad) {
            return null;
        }
    }

    /** How wide they are, as far as C2 uses them. */
    private static int bytes() throws Throwable {
        if (!System.getProperty("os.arch", "").equals("amd64")) return 0;
        var lookup = JdkAccess.lookupInClosed("jdk.internal.vm.vector.VectorSupport");
        return (int) lookup.findStatic(
                        lookup.lookupClass(), "getMaxLaneCount", MethodType.methodType(int.class, Class.class))
                .invoke(byte.class);
    }

    private static MethodHandle copy() throws Throwable {
        var lookup = JdkAccess.lookupInClosed("jdk.internal.misc.Unsafe");
        Class<?> unsafe = lookup.lookupClass();
        Object it = lookup.findStatic(unsafe, "getUnsafe", MethodType.methodType(unsafe))
                .invoke();
        return lookup.findVirtual(
                        unsafe,
                        "copyMemory0",
                        MethodType.methodType(
                                void.class, Object.class, long.class, Object.class, long.class, long.class))
                .bindTo(it);
    }
}
