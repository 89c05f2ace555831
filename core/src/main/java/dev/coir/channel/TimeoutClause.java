package dev.coir.channel;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Happens when nothing else has for some time. */
record TimeoutClause<R extends @Nullable Object>(long nanos, Supplier<? extends R> then) implements Clause<R> {}
