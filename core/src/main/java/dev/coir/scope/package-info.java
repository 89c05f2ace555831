/** Structured scopes: fibers that end before the block that started them does. */
@NullMarked
package dev.coir.scope;

import org.jspecify.annotations.NullMarked;
