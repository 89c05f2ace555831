/** What the tests of every package share. */
@NullMarked
package dev.coir.testing;

import org.jspecify.annotations.NullMarked;
