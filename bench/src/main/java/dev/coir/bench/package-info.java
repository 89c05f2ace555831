/** The program behind {@code ./coir bench}. */
@NullMarked
package dev.coir.bench;

import org.jspecify.annotations.NullMarked;
