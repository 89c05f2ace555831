/** Fibers in a world of their own, where a seed decides what happens. */
module dev.coir.sim {
    requires transitive dev.coir.core;
    requires static transitive org.jspecify;
    requires static com.google.errorprone.annotations;

    exports dev.coir.sim;
}
