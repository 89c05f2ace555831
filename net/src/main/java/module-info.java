/** Sockets and files for fibers and threads. */
module dev.coir.net {
    requires transitive dev.coir.core;
    requires static transitive org.jspecify;
    requires static com.google.errorprone.annotations;

    exports dev.coir.net;
}
