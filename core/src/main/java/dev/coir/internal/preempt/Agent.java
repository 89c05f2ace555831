package dev.coir.internal.preempt;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** The classes that the agent put on the boot class path, found by name: core is not built against them. */
final class Agent {
    static final int TAKEN = 1;
    static final int FREED = -1;
    static final int UNKNOWN = 0;
    static final int UNSEEN = 2;

    private static final @Nullable MethodHandle RAISE = find("Poll", "raise", MethodType.methodType(void.class));
    private static final @Nullable MethodHandle LOWER = find("Poll", "lower", MethodType.methodType(void.class));
    private static final @Nullable MethodHandle IS_WOVEN =
            find("Poll", "isWoven", MethodType.methodType(boolean.class, String.class));

    private Agent() {}

    static boolean isPresent() {
        return RAISE != null && LOWER != null && IS_WOVEN != null;
    }

    private static @Nullable MethodHandle find(String className, String method, MethodType type) {
        try {
            Class<?> owner = Class.forName("dev.coir.agent.boot." + className, true, null);
            return MethodHandles.publicLookup().findStatic(owner, method, type);
        } catch (ReflectiveOperationException withoutAgent) {
            return null;
        }
    }

    static void onPoll(Runnable hook) {
        call(find("Poll", "install", MethodType.methodType(Runnable.class, Runnable.class)), hook);
    }

    static void onLock(ObjIntConsumer<@Nullable Object> hook) {
        call(find("Locks", "install", MethodType.methodType(ObjIntConsumer.class, ObjIntConsumer.class)), hook);
    }

    private static void call(@Nullable MethodHandle method, Object argument) {
        if (method == null) return;
        try {
            Object _ = method.invoke(argument);
        } catch (Throwable t) {
            throw new IllegalStateException("the agent's jar does not fit this version of Coir", t);
        }
    }

    static void raise() {
        if (RAISE == null) return;
        try {
            RAISE.invokeExact();
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    static void lower() {
        if (LOWER == null) return;
        try {
            LOWER.invokeExact();
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    /** Whether the agent weaves classes of this name, or would if they needed it. */
    static boolean isWoven(String className) {
        if (IS_WOVEN == null) return false;
        try {
            return (boolean) IS_WOVEN.invokeExact(className);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }
}
