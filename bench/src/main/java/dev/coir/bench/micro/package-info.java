/** Benchmarks of small parts (JMH), each beside a baseline, and what runs them in turn. */
@NullMarked
package dev.coir.bench.micro;

import org.jspecify.annotations.NullMarked;
