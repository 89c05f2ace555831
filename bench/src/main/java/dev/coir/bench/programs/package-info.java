/** Ordinary programs that compute: what the agent's polls cost is measured on them. They know nothing of Coir. */
@NullMarked
package dev.coir.bench.programs;

import org.jspecify.annotations.NullMarked;
