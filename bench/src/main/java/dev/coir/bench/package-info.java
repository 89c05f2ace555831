/** Benchmarks, and the program that runs them in turn and prints one table. */
@NullMarked
package dev.coir.bench;

import org.jspecify.annotations.NullMarked;
