package dev.coir.internal.preempt;

import dev.coir.internal.Stack;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The locks of {@code java.util.concurrent} that the code of one bare stack has taken and not freed, as far as the agent
 * sees them. Belongs to that stack, and is used on its thread only.
 */
public final class HeldLocks {
    private record Held(Object lock, @Nullable StackTraceElement taker) {}

    private static volatile boolean unseen; // some may have been taken without being seen

    private final List<Held> held = new ArrayList<>(2);
    private boolean unknown; // a permit or a stamp was taken: nobody can tell when it is given back

    private HeldLocks() {}

    /** Starts listening to the agent, if there is one. To be called once, when the first bare stack is made. */
    public static void listen() {
        if (Agent.isPresent()) Agent.onLock(HeldLocks::told);
    }

    private static void told(@Nullable Object lock, int what) {
        if (what == Agent.UNSEEN || lock == null) {
            unseen = true;
            return;
        }
        Stack stack = Stack.top();
        if (stack == null) return;
        HeldLocks locks = stack.heldLocks;
        if (locks == null) {
            if (what == Agent.FREED) return;
            stack.heldLocks = locks = new HeldLocks();
        }
        if (what == Agent.UNKNOWN) locks.unknown = true;
        else if (what == Agent.FREED) locks.freed(lock);
        else if (!mayBeKept(lock)) locks.held.add(new Held(lock, Strict.ON ? taker() : null));
    }

    /** Coir's own locks may be held across a suspension, but for those that spin. */
    private static boolean mayBeKept(Object lock) {
        String name = lock.getClass().getName();
        return name.startsWith("dev.coir.sync.") && !name.endsWith(".SpinLock") && !name.endsWith(".McsLock");
    }

    private void freed(Object lock) {
        for (int i = held.size() - 1; i >= 0; i--) {
            if (held.get(i).lock == lock) {
                held.remove(i);
                return;
            }
        }
    }

    private static @Nullable StackTraceElement taker() {
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(each -> !each.getClassName().startsWith("dev.coir.internal.")
                                && !each.getClassName().startsWith("dev.coir.agent.boot."))
                        .findFirst()
                        .map(StackWalker.StackFrame::toStackTraceElement)
                        .orElse(null));
    }

    /** Whether the stack's code has freed all it took, as far as anybody can tell. */
    static boolean isNothingHeld(Stack stack) {
        HeldLocks locks = stack.heldLocks;
        return !unseen && (locks == null || (locks.held.isEmpty() && !locks.unknown));
    }

    /** One that is held for certain, in words; null when there is none. */
    @Nullable
    String firstHeld() {
        for (Held each : held) {
            if (isHeldByThisThread(each.lock))
                return each.lock + (each.taker == null ? "" : ", which " + each.taker + " has locked");
        }
        return null;
    }

    /** The stack's own book may be wrong when somebody else freed the lock; the lock itself knows. */
    private static boolean isHeldByThisThread(Object lock) {
        return switch (lock) {
            case ReentrantLock reentrant -> reentrant.isHeldByCurrentThread();
            case ReentrantReadWriteLock.WriteLock write -> write.isHeldByCurrentThread();
            default -> true;
        };
    }
}
