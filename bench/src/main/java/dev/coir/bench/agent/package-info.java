/** What the agent's polls cost programs that only compute. */
@NullMarked
package dev.coir.bench.agent;

import org.jspecify.annotations.NullMarked;
