/** Tasks, and the queues that link them without nodes of their own. */
@NullMarked
package dev.coir.internal.task;

import org.jspecify.annotations.NullMarked;
