/** A key-value server that speaks the protocol of Redis: {@link dev.coir.examples.redis.RedisServer}. */
@NullMarked
package dev.coir.examples.redis;

import org.jspecify.annotations.NullMarked;
