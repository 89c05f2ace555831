/** Fibers: a body, a stack to run it on, an executor to run it by. */
@NullMarked
package dev.coir.fiber;

import org.jspecify.annotations.NullMarked;
