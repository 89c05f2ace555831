package dev.coir.internal.sched;

import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Ties the calling thread to processors, through the operating system's own call. */
final class Affinity {
    private static final int SET_BYTES = 128; // cpu_set_t: 1024 processors
    private static final AtomicBoolean WARNED = new AtomicBoolean();

    private Affinity() {}

    /** Ties the calling thread. Where that does not work, warns once and goes on. @return whether it worked */
    static boolean pinTo(int... processors) {
        try {
            int result = setAffinity(processors);
            if (result == 0) return true;
            warn("sched_setaffinity refused processors " + Arrays.toString(processors), null);
        } catch (Throwable notHere) {
            warn("sched_setaffinity cannot be called here", notHere);
        }
        return false;
    }

    @SuppressWarnings("restricted") // a foreign call is the point
    private static int setAffinity(int[] processors) throws Throwable {
        Linker linker = Linker.nativeLinker();
        MethodHandle call = linker.downcallHandle(
                linker.defaultLookup().find("sched_setaffinity").orElseThrow(),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = arena.allocate(SET_BYTES, Long.BYTES);
            for (int processor : processors) {
                long word = set.getAtIndex(ValueLayout.JAVA_LONG, processor / 64);
                set.setAtIndex(ValueLayout.JAVA_LONG, processor / 64, word | (1L << processor % 64));
            }
            return (int) call.invokeExact(0, (long) SET_BYTES, set);
        }
    }

    private static void warn(String what, @Nullable Throwable cause) {
        if (!WARNED.compareAndSet(false, true)) return;
        System.getLogger("dev.coir")
                .log(
                        Level.WARNING,
                        "pinToCpus has no effect: " + what + "; threads run where the system puts them",
                        cause);
    }
}
