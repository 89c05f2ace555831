/** An HTTP/1.1 server that says hello: {@link dev.coir.examples.http.HttpServer}. */
@NullMarked
package dev.coir.examples.http;

import org.jspecify.annotations.NullMarked;
