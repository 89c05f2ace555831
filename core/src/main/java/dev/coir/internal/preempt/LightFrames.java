package dev.coir.internal.preempt;

import dev.coir.internal.Stack;
import dev.coir.internal.task.FiberStack;
import java.lang.StackWalker.StackFrame;
import java.util.List;
import java.util.stream.Stream;

/** Whether a LIGHT fiber can be stopped where it stands. */
final class LightFrames {
    /*
     * A LIGHT fiber's thread-owned locks belong to the thread that other fibers use as well, so it is stopped only when it
     * provably holds none. All of this must hold:
     *
     * H1. No frame holds a monitor: the JVM tells, for compiled frames too.
     * H2. Every frame, from the poll down to where the fiber began, belongs to a woven class or to a part of the JDK that
     *     takes no locks. Any other frame of the JDK might stand inside a lock of java.util.concurrent, and any frame of
     *     Coir inside its own.
     * H3. Woven code that this fiber ran has freed each lock it took, and has taken no permit or stamp (HeldLocks).
     * H4. No lock can have been taken unseen: the agent has woven every class it was given, and no method reference to a
     *     lock was made.
     * Guarded by LightPreemptionTest.
     */
    private static final List<String> LOCK_FREE = List.of(
            "java.util.stream.",
            "java.util.function.",
            "java.util.AbstractCollection",
            "java.util.AbstractList",
            "java.util.AbstractMap",
            "java.util.ArrayList",
            "java.util.Arrays",
            "java.util.Collections$Unmodifiable",
            "java.util.ComparableTimSort",
            "java.util.Comparator",
            "java.util.HashMap",
            "java.util.ImmutableCollections",
            "java.util.Iterator",
            "java.util.LinkedHashMap",
            "java.util.Optional",
            "java.util.Spliterator",
            "java.util.TimSort",
            "java.util.TreeMap",
            "java.lang.Iterable",
            "java.lang.invoke.",
            "java.lang.reflect.",
            "jdk.internal.reflect.");

    private static final String POLL = "dev.coir.agent.boot.Poll";
    private static final String COIR = "dev.coir.";
    private static final String CONTINUATION = "jdk.internal.vm.Continuation";

    private LightFrames() {}

    /** To be called from the poll, in a fiber with a bare stack. */
    static boolean holdNoLock() {
        Stack stack = Stack.top();
        if (stack == null || !HeldLocks.isNothingHeld(stack)) return false; // H3, H4
        return FiberStack.walkLive(LightFrames::areSafe);
    }

    private static boolean areSafe(Stream<StackFrame> frames) {
        boolean pollSeen = false;
        boolean atBase = false;
        for (StackFrame frame : (Iterable<StackFrame>) frames::iterator) {
            if (Stack.monitorsOf(frame).length > 0) return false; // H1
            String name = frame.getClassName();
            pollSeen |= name.equals(POLL);
            if (!pollSeen || name.equals(POLL)) continue;
            if (name.equals(CONTINUATION) || (name.startsWith(COIR) && !Agent.isWoven(name))) {
                atBase = true; // from here on only what started the fiber
            } else if (atBase || !(Agent.isWoven(name) || isLockFree(name))) {
                return false; // H2
            }
        }
        return atBase;
    }

    private static boolean isLockFree(String name) {
        for (String prefix : LOCK_FREE) if (name.startsWith(prefix)) return true;
        return false;
    }
}
