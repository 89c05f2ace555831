/** Coroutines, executors, and what joins them. */
@SuppressWarnings("module") // dev.coir.net and dev.coir.observe are built after this one
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
    exports dev.coir.internal to
            dev.coir.net,
            dev.coir.observe,
            dev.coir.sim;
    exports dev.coir.internal.sched to
            dev.coir.net,
            dev.coir.observe;
    exports dev.coir.internal.task to
            dev.coir.net,
            dev.coir.observe,
            dev.coir.sim;
    exports dev.coir.internal.trace to
            dev.coir.observe;
    exports dev.coir.internal.wait to
            dev.coir.net;
}
