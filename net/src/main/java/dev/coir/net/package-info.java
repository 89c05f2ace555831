/**
 * Sockets and files that look blocking and block no worker. Fibers of both kinds, virtual threads and platform threads may use
 * all of it, in any mix.
 */
@NullMarked
package dev.coir.net;

import org.jspecify.annotations.NullMarked;
