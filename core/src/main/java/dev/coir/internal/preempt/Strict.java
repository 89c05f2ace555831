package dev.coir.internal.preempt;

import dev.coir.internal.Stack;
import java.io.IOException;
import java.io.InputStream;
import java.lang.StackWalker.StackFrame;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.MonitorInstruction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Strict mode: a bare stack that is left while its code holds a lock of the thread is refused, and the refusal names the
 * lock and the frame. On with assertions ({@code -ea}), or as {@code -Dcoir.strict=true|false} says.
 */
public final class Strict {
    /*
     * Looking for monitors frame by frame takes several microseconds, so it is done in two steps: first the classes of the
     * frames alone; and only if one of them has a synchronized method or block at all, the monitors of each frame.
     *
     * Locks of java.util.concurrent leave no trace in a frame; those are known only where the agent saw them being taken.
     */

    /** Whether strict mode is on; constant, so that it costs nothing when off. */
    public static final boolean ON = isOn();

    private static final ClassValue<Boolean> HAS_MONITORS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return mayHaveMonitors(type);
        }
    };

    private Strict() {}

    private static boolean isOn() {
        String property = System.getProperty("coir.strict");
        return switch (property) {
            case null -> Strict.class.desiredAssertionStatus();
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalStateException("coir.strict: " + property + " (expected: true or false)");
        };
    }

    /**
     * Returns when the innermost stack of this kind may be left.
     *
     * @param kind which stacks
     * @throws IllegalStateException naming the lock and the frame, when one is held; nothing is changed then
     */
    public static void ensureNothingHeld(Stack.Kind kind) {
        if (Stack.walkClasses(kind, Strict::anyHasMonitors)) {
            String holder = Stack.walkLive(kind, Strict::firstHolder);
            if (holder != null) throw refusal(kind, holder);
        }
        for (Stack each = Stack.top(); each != null; each = each.outerUpTo(kind)) {
            HeldLocks locks = each.heldLocks;
            String lock = locks == null ? null : locks.firstHeld();
            if (lock != null) throw refusal(kind, "it holds " + lock);
        }
    }

    private static IllegalStateException refusal(Stack.Kind kind, String holder) {
        return new IllegalStateException("cannot suspend this " + kind.getName()
                + " while it holds a lock of its thread: "
                + holder + "; free it before you suspend, or use a lock of dev.coir.sync, or a fiber of kind VIRTUAL"
                + " (this is strict mode: -Dcoir.strict=false turns the check off)");
    }

    private static boolean anyHasMonitors(Stream<StackFrame> frames) {
        return frames.anyMatch(each -> HAS_MONITORS.get(each.getDeclaringClass()));
    }

    private static @Nullable String firstHolder(Stream<StackFrame> frames) {
        return frames.map(Strict::holder)
                .filter(each -> !each.isEmpty())
                .findFirst()
                .orElse(null);
    }

    private static String holder(StackFrame frame) {
        Object[] monitors = Stack.monitorsOf(frame);
        if (monitors.length == 0) return "";
        Object first = monitors[0];
        String lock = first instanceof Class<?> type
                ? "class " + type.getName()
                : first.getClass().getName() + "@" + Integer.toHexString(System.identityHashCode(first));
        return frame.toStackTraceElement() + " holds the monitor of " + lock;
    }

    private static boolean mayHaveMonitors(Class<?> type) {
        if (isCoirs(type)) return false; // which call nobody while they hold one
        String name = type.getName();
        if (type.isHidden() && (name.startsWith("java.lang.invoke.") || name.contains("$$Lambda"))) return false;
        String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
        try (InputStream in = type.getResourceAsStream(file)) {
            return in == null || hasMonitors(in);
        } catch (IOException | IllegalArgumentException unreadable) {
            return true;
        }
    }

    private static boolean isCoirs(Class<?> type) {
        return type.getName().startsWith("dev.coir.")
                && type.getProtectionDomain().equals(Strict.class.getProtectionDomain());
    }

    private static boolean hasMonitors(InputStream in) throws IOException {
        for (MethodModel method : ClassFile.of().parse(in.readAllBytes()).methods()) {
            if ((method.flags().flagsMask() & ClassFile.ACC_SYNCHRONIZED) != 0) return true;
            boolean enters = method.code().stream()
                    .flatMap(code -> code.elementStream())
                    .anyMatch(each -> each instanceof MonitorInstruction);
            if (enters) return true;
        }
        return false;
    }
}
