/** Where the scheduler says what it does, for whoever records it. Knows no other package of Coir. */
@NullMarked
package dev.coir.internal.trace;

import org.jspecify.annotations.NullMarked;
