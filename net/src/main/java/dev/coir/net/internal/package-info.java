/** Pollers, descriptors and system calls under the sockets of {@code dev.coir.net}. */
@NullMarked
package dev.coir.net.internal;

import org.jspecify.annotations.NullMarked;
