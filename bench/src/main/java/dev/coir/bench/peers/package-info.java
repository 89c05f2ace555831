/** The comparison with peers: works, sides, goals, and the program that lets them take turns and shows what they need. */
@NullMarked
package dev.coir.bench.peers;

import org.jspecify.annotations.NullMarked;
