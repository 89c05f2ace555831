package dev.coir.internal.sched;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.jspecify.annotations.Nullable;

/** The JVM's measure of how long a thread has had a processor. */
final class ProcessorTime {
    private static final @Nullable ThreadMXBean BEAN = find();

    private ProcessorTime() {}

    private static @Nullable ThreadMXBean find() {
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        return bean.isThreadCpuTimeSupported() && bean.isThreadCpuTimeEnabled() ? bean : null;
    }

    /** In nanoseconds, of a platform thread; -1 when it has ended, or where nobody can tell. */
    static long ofThread(Thread thread) {
        return BEAN == null ? -1 : BEAN.getThreadCpuTime(thread.threadId());
    }
}
