/** Channels: values handed from one fiber or thread to another, and select, which waits for the first of several. */
@NullMarked
package dev.coir.channel;

import org.jspecify.annotations.NullMarked;
