/** What the JVM's sides do in the comparison, each written as its own users would write it; and the program that does it. */
@NullMarked
package dev.coir.bench.works;

import org.jspecify.annotations.NullMarked;
