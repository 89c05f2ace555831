/** Stacks that suspend and resume. Knows no thread pool, no queue and no scheduler. */
@NullMarked
package dev.coir.coro;

import org.jspecify.annotations.NullMarked;
