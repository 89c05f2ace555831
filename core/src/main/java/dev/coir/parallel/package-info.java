/** Doing several things at once and waiting for all of them; sharing what there is little of; taking turns. */
@NullMarked
package dev.coir.parallel;

import org.jspecify.annotations.NullMarked;
