package dev.coir.channel;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Happens when nothing else can at once. */
record OtherwiseClause<R extends @Nullable Object>(Supplier<? extends R> then) implements Clause<R> {}
