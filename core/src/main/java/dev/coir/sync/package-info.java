/** What fibers and threads wait on, and the locks for a few instructions that never wait. */
@NullMarked
package dev.coir.sync;

import org.jspecify.annotations.NullMarked;
