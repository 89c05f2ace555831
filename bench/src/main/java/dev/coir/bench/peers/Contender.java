package dev.coir.bench.peers;

/** A system that takes part. */
enum Contender {
    COIR_VIRTUAL("coir-virtual", "Coir VIRTUAL", "default settings"),
    COIR_LIGHT("coir-light", "Coir LIGHT", "default settings"),
    COIR_TASK("coir-task", "Coir tasks", "plain tasks on the Scheduler, no fibers"),
    JDK("jdk", "JDK virtual threads", "java.util.concurrent; jdk.virtualThreadScheduler.parallelism = workers"),
    KOTLIN("kotlin", "Kotlin coroutines", "Dispatchers.Default; kotlinx.coroutines.scheduler.core.pool.size = workers"),
    JOX("jox", "jox channels", "between the JDK's virtual threads, set as those are"),
    GO("go", "Go", "GOMAXPROCS = workers"),
    BOOST("boost", "boost.fiber", "one thread, round robin, pooled stacks of 16 KiB; g++ -O3"),
    FLOOR(
            "floor",
            "bare continuations",
            "the JDK's, run in turn by a loop: no scheduler, no queue; in latencies: a parked thread");

    private final String id;
    private final String label;
    private final String settings;

    Contender(String id, String label, String settings) {
        this.id = id;
        this.label = label;
        this.settings = settings;
    }

    /** What the processes call it. */
    String id() {
        return id;
    }

    /** What people read. */
    String label() {
        return label;
    }

    /** How it is set up. */
    String settings() {
        return settings;
    }

    boolean isCoir() {
        return this == COIR_VIRTUAL || this == COIR_LIGHT || this == COIR_TASK;
    }

    /** Whether users could choose it in Coir's place. */
    boolean isPeer() {
        return !isCoir() && this != FLOOR;
    }

    boolean isJvm() {
        return this != GO && this != BOOST;
    }

    /** Whether it can have more than one worker. */
    boolean isParallel() {
        return this != BOOST && this != FLOOR;
    }
}
