package dev.coir.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ThreadContainer;
import org.jspecify.annotations.Nullable;

/**
 * The one door to what the JDK keeps to itself. Everything that needs an internal of the JDK asks here first, and gets
 * either the thing or a sentence that says which flags open it.
 */
public final class JdkAccess {
    private static final Module US = JdkAccess.class.getModule();
    private static final Module JAVA_BASE = Object.class.getModule();
    private static final List<String> MISSING_FLAGS = missingFlags();
    private static final boolean OPEN = MISSING_FLAGS.isEmpty();

    private JdkAccess() {}

    /**
     * Returns when the internals can be used; costs nothing then. To be called before a class that names one is loaded.
     *
     * @throws IllegalStateException with the cure, when the JVM was started without them
     */
    public static void ensureOpen() {
        if (!OPEN) throw new IllegalStateException(cure());
    }

    private static List<String> missingFlags() {
        String user = US.isNamed() ? US.getName() : "ALL-UNNAMED";
        List<String> flags = new ArrayList<>();
        if (!JAVA_BASE.isExported("jdk.internal.vm", US)) flags.add("--add-exports=java.base/jdk.internal.vm=" + user);
        if (!JAVA_BASE.isOpen("java.lang", US)) flags.add("--add-opens=java.base/java.lang=" + user);
        return List.copyOf(flags);
    }

    private static String cure() {
        return "Coir needs access to internals of the JDK that this JVM was not given. Add to the java command:\n    "
                + String.join(" ", MISSING_FLAGS)
                + "\nor put them into the JDK_JAVA_OPTIONS environment variable, or add -javaagent:coir-agent.jar in their place,"
                + " or start the program with `coir run`.";
    }

    /**
     * A virtual thread, not started, whose slices are run by {@code scheduler}.
     *
     * @param scheduler gets a task whenever the thread may run; runs it on a platform thread
     * @param name the thread's name, or null
     * @param inherits whether it inherits the calling thread's locals and its context class loader, where it has others than
     *     {@linkplain #hasNothingToInherit most}
     * @param body what the thread runs
     * @return the new thread
     */
    public static Thread newVirtualThread(Executor scheduler, @Nullable String name, boolean inherits, Runnable body) {
        try {
            int characteristics = inherits ? 0 : Handles.NO_INHERIT_THREAD_LOCALS;
            return (Thread) Handles.NEW_VIRTUAL_THREAD.invokeExact(scheduler, name, characteristics, body);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /**
     * Whether a thread that the calling one makes is the same whether it inherits or not.
     *
     * @return false when there are inheritable thread locals, or another context class loader than the system's
     */
    public static boolean hasNothingToInherit() {
        Thread parent = Thread.currentThread();
        try {
            return (Object) Handles.INHERITABLE.invokeExact(parent) == null
                    && parent.getContextClassLoader() == Handles.SYSTEM_LOADER;
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /**
     * Starts a virtual thread that the JDK's own list of threads need not know: {@code shownBy} shows it in dumps.
     *
     * @param virtualThread not started
     * @param shownBy who knows the thread
     */
    public static void start(Thread virtualThread, ShownThreads shownBy) {
        try {
            Handles.START.invokeExact(virtualThread, (Object) shownBy); // else verifying this class would load that one
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /**
     * The platform thread underneath the calling code.
     *
     * @return the carrier of a virtual thread, else the current thread
     */
    public static Thread currentCarrierThread() {
        try {
            return (Thread) Handles.CURRENT_CARRIER_THREAD.invokeExact();
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /**
     * The executor that runs a virtual thread's slices.
     *
     * @param virtualThread a virtual thread
     * @return its scheduler, its own or inherited
     */
    public static Executor schedulerOf(Thread virtualThread) {
        try {
            return (Executor) Handles.SCHEDULER.invokeExact(virtualThread);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /**
     * Which scoped values the JVM believes to be bound where the caller stands.
     *
     * @return for {@link #believeBound}; null when it would have to look for them on the stack
     */
    static @Nullable Object believedBound() {
        try {
            return (Object) Handles.BELIEVED_BOUND.invokeExact();
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /**
     * Tells the JVM which scoped values are bound where the caller stands. To be called whenever frames were put on or taken off a
     * thread behind the JDK's back. Writes what has changed only: each reference that is written costs a fence.
     *
     * @param bindings what {@link #believedBound} gave at a place where the same were bound; null to have it look for them
     */
    static void believeBound(@Nullable Object bindings) {
        if (believedBound() == bindings) return;
        try {
            Handles.BELIEVE_BOUND.invokeExact(bindings);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /**
     * What the JVM believes where no scoped value is bound, once it has looked.
     *
     * @return for {@link #believeBound}
     */
    static Object nothingBound() {
        return Handles.NOTHING_BOUND;
    }

    /** Says that no scoped value is bound where the caller stands, as on a fiber's stack: then the two need not be told apart at each switch. */
    public static void bindNothing() {
        believeBound(nothingBound());
    }

    /** Drops the values of scoped values that a stack looked up before it was left: whoever entered it may bind others. */
    public static void dropScopedCache() {
        if (scopedCache() != null) setScopedCache(null);
    }

    /**
     * The values of scoped values that the calling thread has looked up.
     *
     * @return for {@link #setScopedCache}; null for none
     */
    static Object @Nullable [] scopedCache() {
        try {
            return (Object[]) Handles.SCOPED_CACHE.invokeExact();
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /**
     * Replaces what the calling thread has looked up.
     *
     * @param cache what {@link #scopedCache} gave; null for nothing
     */
    static void setScopedCache(Object @Nullable [] cache) {
        try {
            Handles.SET_SCOPED_CACHE.invokeExact(cache);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /**
     * The scoped values that are bound where the caller stands.
     *
     * @return for {@link #runWithScopedBindings}
     */
    public static Object scopedBindings() {
        try {
            return Handles.SCOPED_BINDINGS.invokeExact();
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /**
     * Runs something with scoped values that are bound elsewhere; to be the first thing that a new stack does. Afterwards
     * nothing is bound there: another fiber may go on with the stack.
     *
     * @param bindings what {@link #scopedBindings} gave there
     * @param body must not throw
     */
    public static void runWithScopedBindings(Object bindings, Runnable body) {
        try {
            believeBound(bindings);
            Handles.RUN_WITH.invokeExact(Thread.currentThread(), bindings, body);
        } catch (Throwable t) {
            throw unexpected(t);
        } finally {
            believeBound(null);
            dropScopedCache();
        }
    }

    /**
     * Corrects which continuation the JDK takes for the innermost on the calling carrier.
     *
     * @param believed nothing is done when the JDK takes another for it
     * @param real the innermost one in truth, or null when none runs
     */
    public static void correctContinuation(Object believed, @Nullable Object real) {
        Handles.CONTINUATION.compareAndSet(currentCarrierThread(), believed, real);
    }

    /**
     * The continuation that runs innermost on the calling carrier, a virtual thread's included.
     *
     * @return the continuation, or null when none runs
     */
    public static @Nullable Object innermostContinuation() {
        return (Object) Handles.CONTINUATION.get(currentCarrierThread());
    }

    /**
     * Tells the JDK which continuation runs innermost.
     *
     * @param carrier the calling thread, or the one underneath it
     * @param innermost the continuation, or null when none runs
     */
    static void setContinuation(Thread carrier, @Nullable Continuation innermost) {
        Handles.CONTINUATION.set(carrier, innermost);
    }

    /**
     * Finds what a class of a closed package keeps to itself. Who has opened java.lang to us has opened the rest of the
     * module with it, and needs no further flag.
     *
     * @param className a class of java.base
     * @return a lookup with all rights in it
     * @throws ReflectiveOperationException when this is another JDK
     */
    static MethodHandles.Lookup lookupInClosed(String className) throws ReflectiveOperationException {
        Class<?> wanted = Class.forName(className);
        open(wanted.getPackageName());
        return MethodHandles.privateLookupIn(wanted, MethodHandles.lookup());
    }

    private static void open(String packageName) throws ReflectiveOperationException {
        ensureOpen();
        MethodHandle open = MethodHandles.privateLookupIn(Module.class, MethodHandles.lookup())
                .findVirtual(
                        Module.class, "implAddOpens", MethodType.methodType(void.class, String.class, Module.class));
        try {
            open.invokeExact(JAVA_BASE, packageName, US);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /**
     * Acts as a class of the JDK: may do what that class may, and put others beside it.
     *
     * @param inside a class of java.base
     * @return a lookup with all rights in it, those of its module included
     * @throws ReflectiveOperationException when this is another JDK
     */
    static MethodHandles.Lookup trustedLookup(Class<?> inside) throws ReflectiveOperationException {
        open(MethodHandles.class.getPackageName());
        var trusted = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
        trusted.setAccessible(true);
        return ((MethodHandles.Lookup) trusted.get(null)).in(inside);
    }

    /**
     * Where the JVM keeps its own side of a platform thread.
     *
     * @return from a thread that runs to an address
     * @throws ReflectiveOperationException when this is another JDK
     */
    static MethodHandle addressOfThread() throws ReflectiveOperationException {
        return MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup())
                .findGetter(Thread.class, "eetop", long.class);
    }

    /**
     * Walks the caller's frames, and tells only their classes.
     *
     * @return the walker
     */
    public static StackWalker classWalker() {
        return Walkers.CLASSES;
    }

    /**
     * Walks the caller's frames with what they hold.
     *
     * @return the walker
     */
    public static StackWalker liveWalker() {
        return Walkers.LIVE;
    }

    /**
     * The monitors that a frame holds.
     *
     * @param frame one of {@link #liveWalker}
     * @return the locked objects
     */
    public static Object[] monitorsOf(StackWalker.StackFrame frame) {
        try {
            Object[] slots = (Object[]) Walkers.MONITORS.invokeExact(frame);
            if (slots.length == 0) return slots;
            return Arrays.stream(slots)
                    .filter(Objects::nonNull)
                    .toArray(); // an interpreted frame keeps slots it has left
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /**
     * Finds what the JDK's virtual threads keep to themselves.
     *
     * @return a lookup with all rights in the class of virtual threads
     * @throws ReflectiveOperationException when this is another JDK
     */
    static MethodHandles.Lookup lookupInVirtualThread() throws ReflectiveOperationException {
        ensureOpen();
        return MethodHandles.privateLookupIn(Class.forName("java.lang.VirtualThread"), MethodHandles.lookup());
    }

    /**
     * Finds what the JDK's threads keep to themselves.
     *
     * @return a lookup with all rights in {@link Thread}
     * @throws IllegalAccessException when this is another JDK
     */
    static MethodHandles.Lookup lookupInThread() throws IllegalAccessException {
        ensureOpen();
        return MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
    }

    /**
     * For handles that were not found.
     *
     * @param cause what was missing
     * @return to be thrown
     */
    static IllegalStateException otherJdk(Throwable cause) {
        return new IllegalStateException(
                "this JDK (" + Runtime.version() + ") is not the one Coir was made for: run it on JDK 25", cause);
    }

    private static RuntimeException unexpected(Throwable t) {
        if (t instanceof Error error) throw error;
        if (t instanceof RuntimeException runtime) throw runtime;
        return new IllegalStateException(t);
    }

    /** Resolved at first use, after {@link #ensureOpen}. */
    private static final class Handles {
        static final MethodHandle NEW_VIRTUAL_THREAD;
        static final int NO_INHERIT_THREAD_LOCALS;
        static final MethodHandle INHERITABLE;
        static final ClassLoader SYSTEM_LOADER = ClassLoader.getSystemClassLoader();
        static final MethodHandle START;
        static final MethodHandle CURRENT_CARRIER_THREAD;
        static final MethodHandle SCHEDULER;
        static final VarHandle CONTINUATION;
        static final MethodHandle SCOPED_BINDINGS;
        static final Object NOTHING_BOUND;
        static final MethodHandle BELIEVED_BOUND;
        static final MethodHandle BELIEVE_BOUND;
        static final MethodHandle RUN_WITH;
        static final MethodHandle SCOPED_CACHE;
        static final MethodHandle SET_SCOPED_CACHE;

        static {
            ensureOpen();
            try {
                var inThread = lookupInThread();
                Class<?> builders = Class.forName("java.lang.ThreadBuilders");
                NEW_VIRTUAL_THREAD = inThread.findStatic(
                        builders,
                        "newVirtualThread",
                        MethodType.methodType(Thread.class, Executor.class, String.class, int.class, Runnable.class));
                NO_INHERIT_THREAD_LOCALS =
                        (int) inThread.findStaticVarHandle(Thread.class, "NO_INHERIT_THREAD_LOCALS", int.class)
                                .get();
                INHERITABLE = inThread.findGetter(
                                Thread.class,
                                "inheritableThreadLocals",
                                Class.forName("java.lang.ThreadLocal$ThreadLocalMap"))
                        .asType(MethodType.methodType(Object.class, Thread.class));
                START = inThread.findVirtual(
                                Thread.class, "start", MethodType.methodType(void.class, ThreadContainer.class))
                        .asType(MethodType.methodType(void.class, Thread.class, Object.class));
                CURRENT_CARRIER_THREAD =
                        inThread.findStatic(Thread.class, "currentCarrierThread", MethodType.methodType(Thread.class));
                BELIEVE_BOUND = inThread.findStatic(
                        Thread.class, "setScopedValueBindings", MethodType.methodType(void.class, Object.class));
                BELIEVED_BOUND =
                        inThread.findStatic(Thread.class, "scopedValueBindings", MethodType.methodType(Object.class));
                Class<?> snapshot = Class.forName("java.lang.ScopedValue$Snapshot");
                NOTHING_BOUND = MethodHandles.privateLookupIn(snapshot, MethodHandles.lookup())
                        .findStaticVarHandle(snapshot, "EMPTY_SNAPSHOT", snapshot)
                        .get();
                SCOPED_BINDINGS = MethodHandles.privateLookupIn(ScopedValue.class, MethodHandles.lookup())
                        .findStatic(ScopedValue.class, "scopedValueBindings", MethodType.methodType(snapshot))
                        .asType(MethodType.methodType(Object.class));
                RUN_WITH = inThread.findVirtual( // the JVM looks for this method when it seeks bindings on the stack
                        Thread.class, "runWith", MethodType.methodType(void.class, Object.class, Runnable.class));
                SCOPED_CACHE =
                        inThread.findStatic(Thread.class, "scopedValueCache", MethodType.methodType(Object[].class));
                SET_SCOPED_CACHE = inThread.findStatic(
                        Thread.class, "setScopedValueCache", MethodType.methodType(void.class, Object[].class));
                CONTINUATION = inThread.findVarHandle(Thread.class, "cont", Continuation.class);
                var inVirtualThread = lookupInVirtualThread();
                SCHEDULER = inVirtualThread
                        .findGetter(inVirtualThread.lookupClass(), "scheduler", Executor.class)
                        .asType(MethodType.methodType(Executor.class, Thread.class));
            } catch (ReflectiveOperationException e) {
                throw otherJdk(e);
            }
        }
    }

    /** Resolved at first use: only strict mode and preemption look at frames. */
    private static final class Walkers {
        static final StackWalker CLASSES = StackWalker.getInstance(
                Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE, StackWalker.Option.DROP_METHOD_INFO));
        static final StackWalker LIVE;
        static final MethodHandle MONITORS;

        static {
            ensureOpen();
            try {
                var lookup = MethodHandles.privateLookupIn(StackWalker.class, MethodHandles.lookup());
                Class<?> liveFrame = Class.forName("java.lang.LiveStackFrame");
                LIVE = (StackWalker) lookup.findStatic(
                                liveFrame, "getStackWalker", MethodType.methodType(StackWalker.class, Set.class))
                        .invoke(Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE));
                MONITORS = lookup.findVirtual(liveFrame, "getMonitors", MethodType.methodType(Object[].class))
                        .asType(MethodType.methodType(Object[].class, StackWalker.StackFrame.class));
            } catch (Throwable e) {
                throw otherJdk(e);
            }
        }
    }
}
