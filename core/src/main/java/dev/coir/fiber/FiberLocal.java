package dev.coir.fiber;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A variable of which each fiber has its own value; outside fibers, each thread has. Works in fibers of both kinds, where a
 * {@link ThreadLocal} would be shared by all LIGHT fibers of a thread.
 *
 * @param <T> its type
 */
public final class FiberLocal<T extends @Nullable Object> {
    private static final Object NULL = new Object();
    private static final ThreadLocal<Map<FiberLocal<?>, Object>> OUTSIDE = ThreadLocal.withInitial(HashMap::new);

    private final Supplier<? extends T> initial;

    private FiberLocal(Supplier<? extends T> initial) {
        this.initial = initial;
    }

    /**
     * A variable.
     *
     * @param <T> its type
     * @param initial makes a fiber's first value, when it is first read
     * @return the variable
     */
    public static <T extends @Nullable Object> FiberLocal<T> withInitial(Supplier<? extends T> initial) {
        return new FiberLocal<>(Objects.requireNonNull(initial, "initial"));
    }

    /**
     * The calling fiber's value.
     *
     * @return the value
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // what set put there
    public T get() {
        Map<FiberLocal<?>, Object> values = values();
        Object value = values.get(this);
        if (value == null) {
            T first = initial.get();
            values.put(this, first == null ? NULL : first);
            return first;
        }
        return value == NULL ? null : (T) value;
    }

    /**
     * Sets the calling fiber's value.
     *
     * @param value the value
     */
    public void set(T value) {
        values().put(this, value == null ? NULL : value);
    }

    /** Forgets the calling fiber's value; the next {@link #get} makes it anew. */
    public void remove() {
        values().remove(this);
    }

    private static Map<FiberLocal<?>, Object> values() {
        Fiber<?> fiber = Fiber.current();
        return fiber != null ? fiber.rare().locals() : OUTSIDE.get();
    }
}
