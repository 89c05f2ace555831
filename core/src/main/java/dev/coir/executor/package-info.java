/** Executors: they run tasks, and know neither fibers nor coroutines. */
@NullMarked
package dev.coir.executor;

import org.jspecify.annotations.NullMarked;
