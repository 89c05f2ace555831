/** Programs of fibers run again and again, each time in another order, which a seed decides and brings back. */
@NullMarked
package dev.coir.sim;

import org.jspecify.annotations.NullMarked;
