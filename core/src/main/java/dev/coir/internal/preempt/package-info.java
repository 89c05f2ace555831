/** What the agent makes possible: fibers that give way in the middle of a loop, and locks that are seen being taken. */
@NullMarked
package dev.coir.internal.preempt;

import org.jspecify.annotations.NullMarked;
