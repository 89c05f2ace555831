package dev.coir.channel;

import org.jspecify.annotations.Nullable;

/**
 * One of the things that {@link Select#select} waits for. Made by {@link Receiver#onReceive}, {@link Sender#onSend},
 * {@link Select#timeout} and {@link Select#otherwise}; immutable, and may be used in any number of selects.
 *
 * @param <R> what select returns
 */
public sealed interface Clause<R extends @Nullable Object> permits ChannelClause, TimeoutClause, OtherwiseClause {}
