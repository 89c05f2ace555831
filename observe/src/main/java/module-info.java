/** Dumps of fibers, and traces for Perfetto. */
module dev.coir.observe {
    requires transitive dev.coir.core;
    requires jdk.httpserver;
    requires jdk.jfr;
    requires static transitive org.jspecify;
    requires static com.google.errorprone.annotations;

    exports dev.coir.observe;
}
