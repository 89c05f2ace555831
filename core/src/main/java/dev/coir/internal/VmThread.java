package dev.coir.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the JVM itself notes about a platform thread, read from where it notes it: three words that Java cannot ask for, or only at the
 * price of a switch. For that thread only.
 */
public final class VmThread {
    /*
     * HotSpot tells tools where the fields of its own objects lie (the table gHotSpotVMStructs, by which debuggers read a dead process).
     * Here it is asked once. Where it does not tell (another JVM, another system, a field that is gone) nothing is known, and
     * who asked does without.
     *
     * J1. Each time the JVM calls Java code, be it from native code, for a class initialiser or to load a class, it gives the thread new
     *     handles, and the old ones back when the call returns. So while the thread has the handles that it began with, no native
     *     frame lies between: every frame since can be saved.
     * J2. The entry of the innermost continuation lies on the thread's stack, where that continuation begins.
     * J3. The monitors that nobody else wants are listed in the thread, and where the list ends tells whether there are any.
     * All guarded by VmThreadTest.
     */
    private static final @Nullable Fields FIELDS = findFields();

    private record Fields(
            MethodHandle read,
            MethodHandle readInt,
            MethodHandle address,
            long handles,
            long entry,
            long monitors,
            int noMonitors) {}

    private static final boolean LISTS_MONITORS = FIELDS != null && knowsMonitors();

    private final long address;
    private final long firstHandles;

    private VmThread(long address) {
        this.address = address;
        this.firstHandles = handles();
    }

    /**
     * The calling thread, which stands in plain Java code.
     *
     * @return null where the JVM does not tell
     */
    public static @Nullable VmThread current() {
        Thread caller = Thread.currentThread();
        return !LISTS_MONITORS || caller.isVirtual() ? null : new VmThread(addressOf(caller));
    }

    /** The JIT takes what a record holds for constant. */
    private static Fields known() {
        return Objects.requireNonNull(FIELDS);
    }

    private static long addressOf(Thread platformThread) {
        try {
            return (long) known().address.invokeExact(platformThread);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    /**
     * Whether a native frame lies on the stack that did not when this object was made: J1.
     *
     * @return true in a class initialiser, and in what native code has called
     */
    public boolean isInNativeCall() {
        return handles() != firstHandles;
    }

    private long handles() {
        return read(address + known().handles);
    }

    /**
     * Where the innermost continuation of the thread begins: J2. Stacks grow downwards.
     *
     * @return an address; 0 when there is none
     */
    public long innermostEntry() {
        return read(address + known().entry);
    }

    /**
     * Whether a frame of this thread holds a monitor that nobody else wants: J3.
     *
     * @return false when it holds none, or others only
     */
    public boolean listsMonitors() {
        return listsMonitors(address);
    }

    /**
     * As {@link #listsMonitors}, of the platform thread underneath the calling code.
     *
     * @return false also where the JVM does not tell
     */
    static boolean holdsListedMonitors() {
        return LISTS_MONITORS && listsMonitors(addressOf(JdkAccess.currentCarrierThread()));
    }

    private static boolean listsMonitors(long thread) {
        Fields known = known();
        try {
            return (int) known.readInt.invokeExact(thread + known.monitors) != known.noMonitors;
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    private static long read(long from) {
        try {
            return (long) known().read.invokeExact(from);
        } catch (Throwable t) {
            throw Rethrow.asIs(t);
        }
    }

    // ---- asking, once ----------------------------------------------------------------------------------------------

    private static @Nullable Fields findFields() {
        if (!System.getProperty("os.name", "").equals("Linux") || Long.getLong("sun.arch.data.model", 64) != 64)
            return null;
        try {
            MethodHandle read = unsafeMethod("getLong", long.class);
            var table = new Table(read, unsafeMethod("getByte", byte.class));
            Map<String, Long> thread = table.offsetsOf("JavaThread");
            Map<String, Long> list = table.offsetsOf("LockStack");
            long monitors = offset(thread, "_lock_stack");
            return new Fields(
                    read,
                    unsafeMethod("getInt", int.class),
                    JdkAccess.addressOfThread(),
                    offset(thread, "_active_handles"),
                    offset(thread, "_cont_entry"),
                    monitors + offset(list, "_top"),
                    (int) (monitors + offset(list, "_base[0]")));
        } catch (Throwable notToBeKnown) {
            return null;
        }
    }

    private static long offset(Map<String, Long> offsets, String field) throws NoSuchFieldException {
        Long found = offsets.get(field);
        if (found == null) throw new NoSuchFieldException(field);
        return found;
    }

    /** Whether there is such a list: other ways of locking, which a flag of the JVM can choose, have none. */
    private static boolean knowsMonitors() {
        var free = new Object();
        synchronized (free) {
            return listsMonitors(addressOf(JdkAccess.currentCarrierThread()));
        }
    }

    private static MethodHandle unsafeMethod(String name, Class<?> result) throws Throwable {
        var lookup = JdkAccess.lookupInClosed("jdk.internal.misc.Unsafe");
        Class<?> unsafe = lookup.lookupClass();
        Object it = lookup.findStatic(unsafe, "getUnsafe", MethodType.methodType(unsafe))
                .invoke();
        return lookup.findVirtual(unsafe, name, MethodType.methodType(result, long.class))
                .bindTo(it);
    }

    /** The JVM's table of fields. */
    private static final class Table {
        private final MethodHandle readLong;
        private final MethodHandle readByte;
        private final MethodHandle find;

        Table(MethodHandle readLong, MethodHandle readByte) throws ReflectiveOperationException {
            this.readLong = readLong;
            this.readByte = readByte;
            var lookup = JdkAccess.lookupInClosed("jdk.internal.loader.NativeLibrary");
            find = lookup.findStatic(
                    lookup.lookupClass(), "findEntry0", MethodType.methodType(long.class, long.class, String.class));
        }

        Map<String, Long> offsetsOf(String type) throws Throwable {
            long each = valueOf("gHotSpotVMStructs");
            long stride = valueOf("gHotSpotVMStructEntryArrayStride");
            long typeName = valueOf("gHotSpotVMStructEntryTypeNameOffset");
            long fieldName = valueOf("gHotSpotVMStructEntryFieldNameOffset");
            long offset = valueOf("gHotSpotVMStructEntryOffsetOffset");
            Map<String, Long> found = new HashMap<>();
            for (; wordAt(each + typeName) != 0; each += stride) {
                if (type.equals(textAt(wordAt(each + typeName))))
                    found.put(textAt(wordAt(each + fieldName)), wordAt(each + offset));
            }
            return found;
        }

        /** Of a variable that all libraries of the process can see. */
        private long valueOf(String name) throws Throwable {
            long at = (long) find.invokeExact(0L, name);
            if (at == 0) throw new NoSuchFieldException(name);
            return wordAt(at);
        }

        private long wordAt(long at) throws Throwable {
            return (long) readLong.invokeExact(at);
        }

        private String textAt(long at) throws Throwable {
            var text = new StringBuilder();
            for (long i = at; ; i++) {
                byte each = (byte) readByte.invokeExact(i);
                if (each == 0) return text.toString();
                text.append((char) each);
            }
        }
    }
}
