package dev.coir.internal.task;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A last-in-first-out pool for any number of threads, lock-free (Treiber's).
 *
 * @param <E> what it holds
 */
public final class LockFreeStack<E> {
    /*
     * S1. A node is pushed once and never again, so a top that compares equal is the same top with the same rest: no ABA.
     *     This is why it allocates a node per push and is not linked through the elements.
     */
    private record Node<E>(E value, @Nullable Node<E> rest) {}

    private static final VarHandle TOP;

    static {
        try {
            TOP = MethodHandles.lookup().findVarHandle(LockFreeStack.class, "top", Node.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Node<E> top;

    /** An empty stack. */
    public LockFreeStack() {}

    /**
     * Puts a value on top.
     *
     * @param value the value
     */
    public void push(E value) {
        Node<E> seen;
        do {
            seen = top;
        } while (!TOP.weakCompareAndSet(this, seen, new Node<>(value, seen)));
    }

    /**
     * Takes the value on top.
     *
     * @return the value, or null when there is none
     */
    public @Nullable E pop() {
        while (true) {
            Node<E> seen = top;
            if (seen == null) return null;
            if (TOP.weakCompareAndSet(this, seen, seen.rest())) return seen.value();
        }
    }

    /**
     * Whether there is nothing to pop; a hint.
     *
     * @return true when empty
     */
    public boolean isEmpty() {
        return top == null;
    }
}
