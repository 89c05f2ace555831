/** Fibers that block their thread, and fibers that never wait: how others fare beside them. */
@NullMarked
package dev.coir.bench.monitor;

import org.jspecify.annotations.NullMarked;
