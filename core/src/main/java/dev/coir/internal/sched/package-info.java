/** The scheduler's parts: tasks are run by carriers, on behalf of workers, which form groups. Knows no fibers. */
@NullMarked
package dev.coir.internal.sched;

import org.jspecify.annotations.NullMarked;
