/** To see what fibers do: a dump of all that are alive, and a trace over time. */
@NullMarked
package dev.coir.observe;

import org.jspecify.annotations.NullMarked;
