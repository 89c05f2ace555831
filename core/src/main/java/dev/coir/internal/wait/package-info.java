/** How any party waits: a fiber of either kind, a thread, or a thread that works for a scheduler meanwhile. */
@NullMarked
package dev.coir.internal.wait;

import org.jspecify.annotations.NullMarked;
