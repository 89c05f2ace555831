/** Coir's example servers side by side with other servers: {@link dev.coir.bench.servers.Servers}. */
@NullMarked
package dev.coir.bench.servers;

import org.jspecify.annotations.NullMarked;
