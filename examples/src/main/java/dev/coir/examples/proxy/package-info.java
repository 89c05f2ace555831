/** A TCP proxy: {@link dev.coir.examples.proxy.ProxyServer}. */
@NullMarked
package dev.coir.examples.proxy;

import org.jspecify.annotations.NullMarked;
