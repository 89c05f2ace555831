/**
 * Seeded chaos against the running scheduler, and the scenarios that broke it once. {@code ./coir test} runs a short dose;
 * {@code -Dcoir.dose=long} takes minutes. A failure names its seed: run it again with {@code -Dcoir.seed=...}.
 */
@NullMarked
package dev.coir.stress;

import org.jspecify.annotations.NullMarked;
