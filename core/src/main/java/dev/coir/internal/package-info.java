/** What the public packages share and users never see; lowest layer, imports nothing of Coir. */
@NullMarked
package dev.coir.internal;

import org.jspecify.annotations.NullMarked;
