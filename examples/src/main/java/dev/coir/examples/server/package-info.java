/** What the example servers have in common: buffers around a connection, and the loop that accepts. */
@NullMarked
package dev.coir.examples.server;

import org.jspecify.annotations.NullMarked;
