/** Coroutines, executors, and what joins them. */
module dev.coir.core {
    requires java.management;
    requires static transitive org.jspecify;
    requires static com.google.errorprone.annotations;

    exports dev.coir.channel;
    exports dev.coir.coro;
    exports dev.coir.executor;
    exports dev.coir.fiber;
    exports dev.coir.parallel;
    exports dev.coir.scope;
    exports dev.coir.sync;
}
