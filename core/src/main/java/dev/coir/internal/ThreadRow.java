package dev.coir.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.StackChunk;
import jdk.internal.vm.annotation.ChangesCurrentThread;
import jdk.internal.vm.annotation.ForceInline;
import org.jspecify.annotations.Nullable;

/**
 * Runs virtual threads one after the other: mounts one, enters its stack, unmounts it when that is left, and asks which is next.
 * It works as a class of the JDK only, where {@link InsideJdk} puts it; so it names no other class of ours, and what it needs of
 * them it is given. For {@link ThreadSwitch} alone.
 */
final class ThreadRow {
    /*
     * W1. Between mounting and unmounting Thread.currentThread() is the virtual thread; before and after, the carrier. The JIT takes it
     *     for the same all through a method, with all that it inlines there, unless the method is marked as ours is; and what is
     *     marked it inlines into nothing that is not.
     * W2. The JIT (C2 of JDK 25) forgets writes that stand directly before setCurrentThread. What it makes of that call ends in one
     *     state of the memory for all fields, and it takes it from a write of its own to some field of the JVM
     *     (LibraryCallKit::extend_setCurrentThread), past the writes to other fields. A fence in between, of any kind, takes them all in; on x86 it
     *     is no instruction. Without it carriers believed for ever that they ran the thread that had left them, and each slice
     *     went the JDK's way. Guarded by ThreadRowTest.
     * W3. What a thread has looked up of its scoped values is kept in its continuation while that is left: the JDK may be the
     *     next to enter it.
     * W4. One frame for all: a processor foresees no return past a switch, so each frame around it costs a wrong guess (ADR 30).
     *
     * Rejected: a method that the JIT cannot inline, in a class of our own and without the mark: two frames more, and C2 refused a loop.
     */
    private static final MethodHandle NEXT; // given: from who has left, and forWhom, to who follows
    private static final MethodHandle BEGIN_INTERRUPTS; // given: thread and carrier
    private static final MethodHandle ABANDON; // given: a thread whose stack could not be entered
    private static final VarHandle CARRIER;
    private static final VarHandle CONTINUATION;
    private static final VarHandle INTERRUPTED;
    private static final VarHandle INNERMOST;
    private static final VarHandle FRAMES;
    private static final VarHandle KEPT;
    private static final MethodHandle ENTER;
    private static final MethodHandle SET_CURRENT;
    private static final MethodHandle TELL_MOUNT;
    private static final MethodHandle TELL_UNMOUNT;
    private static final MethodHandle LOOKED_UP;
    private static final MethodHandle SET_LOOKED_UP;

    static {
        try {
            var given = MethodHandles.classData(MethodHandles.lookup(), "_", Object[].class);
            NEXT = (MethodHandle) given[0];
            BEGIN_INTERRUPTS = (MethodHandle) given[1];
            ABANDON = (MethodHandle) given[2];
            var inVirtual = (Lookup) given[3];
            Class<?> virtual = inVirtual.lookupClass();
            CARRIER = inVirtual.findVarHandle(virtual, "carrierThread", Thread.class);
            CONTINUATION = inVirtual.findVarHandle(virtual, "cont", Continuation.class);
            TELL_MOUNT = telling(inVirtual, "notifyJvmtiMount");
            TELL_UNMOUNT = telling(inVirtual, "notifyJvmtiUnmount");
            var inThread = (Lookup) given[4];
            INTERRUPTED = inThread.findVarHandle(Thread.class, "interrupted", boolean.class);
            INNERMOST = inThread.findVarHandle(Thread.class, "cont", Continuation.class);
            SET_CURRENT = inThread.findVirtual(
                    Thread.class, "setCurrentThread", MethodType.methodType(void.class, Thread.class));
            LOOKED_UP = inThread.findStatic(Thread.class, "scopedValueCache", MethodType.methodType(Object[].class));
            SET_LOOKED_UP = inThread.findStatic(
                    Thread.class, "setScopedValueCache", MethodType.methodType(void.class, Object[].class));
            var inContinuation = (Lookup) given[5];
            ENTER = inContinuation.findStatic(
                    Continuation.class,
                    "enterSpecial",
                    MethodType.methodType(void.class, Continuation.class, boolean.class, boolean.class));
            FRAMES = inContinuation.findVarHandle(Continuation.class, "tail", StackChunk.class);
            KEPT = inContinuation.findVarHandle(Continuation.class, "scopedValueCache", Object[].class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private ThreadRow() {}

    private static MethodHandle telling(Lookup lookup, String name) throws ReflectiveOperationException {
        return lookup.findVirtual(lookup.lookupClass(), name, MethodType.methodType(void.class, boolean.class))
                .asType(MethodType.methodType(void.class, Thread.class, boolean.class));
    }

    /**
     * Runs threads until there is none to follow. Each is RUNNING by its state, and nothing lies on the carrier's stack that could be left.
     *
     * @param first a virtual thread
     * @param carrier the calling thread
     * @param forWhom for NEXT; null to run the first alone
     */
    @ChangesCurrentThread
    @SuppressWarnings("UnusedMethod") // ThreadSwitch finds it
    private static void run(Thread first, Thread carrier, @Nullable Object forWhom) throws Throwable {
        Thread thread = first;
        while (thread != null) {
            mount(thread, carrier);
            var continuation = (Continuation) CONTINUATION.get(thread);
            var kept = (Object[]) KEPT.get(continuation);
            if (kept != null || (Object[]) LOOKED_UP.invokeExact() != null) SET_LOOKED_UP.invokeExact(kept);
            boolean begun = (StackChunk) FRAMES.get(continuation) != null;
            INNERMOST.set(carrier, continuation);
            try {
                ENTER.invokeExact(continuation, begun, true);
            } catch (Throwable t) {
                unmount(thread, carrier, continuation, kept);
                ABANDON.invokeExact(thread);
                throw t;
            }
            unmount(thread, carrier, continuation, kept);
            thread = forWhom == null ? null : (Thread) NEXT.invokeExact(thread, forWhom);
        }
    }

    @ChangesCurrentThread
    @ForceInline
    private static void mount(Thread thread, Thread carrier) throws Throwable {
        TELL_MOUNT.invokeExact(thread, true);
        CARRIER.setVolatile(thread, carrier); // before looking for interrupts: T6 of ThreadSwitch; also for W2
        if ((boolean) INTERRUPTED.getVolatile(thread) || (boolean) INTERRUPTED.getVolatile(carrier))
            BEGIN_INTERRUPTS.invokeExact(thread, carrier);
        SET_CURRENT.invokeExact(carrier, thread);
    }

    @ChangesCurrentThread
    @ForceInline
    private static void unmount(Thread thread, Thread carrier, Continuation left, Object @Nullable [] kept)
            throws Throwable {
        VarHandle.releaseFence(); // as in the JDK: what follows stays behind the switch
        INNERMOST.set(carrier, (Continuation) null);
        if (left.isDone()) FRAMES.set(left, (StackChunk) null);
        var found = (Object[]) LOOKED_UP.invokeExact();
        if (found != kept) KEPT.set(left, found); // W3
        if (found != null) SET_LOOKED_UP.invokeExact((Object[]) null);
        VarHandle.releaseFence(); // W2
        SET_CURRENT.invokeExact(carrier, carrier);
        CARRIER.setRelease(
                thread, (Thread) null); // a fence follows before interrupts are looked for: T6 of ThreadSwitch
        TELL_UNMOUNT.invokeExact(thread, false);
    }
}
