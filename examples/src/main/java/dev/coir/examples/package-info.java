/** Programs to read and run, each about one idea, and {@link dev.coir.examples.Demo}, a tour of them. */
@NullMarked
package dev.coir.examples;

import org.jspecify.annotations.NullMarked;
