package dev.coir.bench.micro;

import dev.coir.internal.task.Mailbox;
import dev.coir.internal.task.RunRing;
import dev.coir.internal.task.Task;
import dev.coir.internal.task.Tasks;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;
import org.jctools.queues.varhandle.SpscVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What does a task's way through a queue cost when nobody else is there? ns per task put in and taken out by one thread;
 * baseline: {@code ArrayDeque}, which is not made for threads at all. JCTools' queues, which promise other rights, are shown
 * beside: one taker (spsc), or any number of both (mpmc).
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class QueueOps {
    private static final int CAPACITY = 256;
    private static final int BATCH = 64;

    static Comparison oneByOne() {
        return Comparison.of(QueueOps.class, "One task into a queue and out again")
                .baseline("arrayDeque", "ArrayDeque (no threads)")
                .shown("runRing", "RunRing: push, take")
                .shown("spsc", "JCTools SpscVarHandleArrayQueue")
                .shown("mpmc", "JCTools MpmcVarHandleArrayQueue");
    }

    static Comparison batches() {
        return Comparison.of(QueueOps.class, "64 tasks into a queue, then all out (per task)")
                .baseline("arrayDequeBatch", "ArrayDeque (no threads)")
                .shown("mailboxBatch", "Mailbox: send, takeAll")
                .shown("mpscBatch", "JCTools MpscUnboundedVarHandleArrayQueue");
    }

    /** Tasks to send about; never run. */
    @State(Scope.Thread)
    public static class Crowd {
        private final Task one = new Idle();
        private final Task[] many = new Task[BATCH];

        public Crowd() {
            for (int i = 0; i < BATCH; i++) many[i] = new Idle();
        }
    }

    private static final class Idle extends Task {
        @Override
        public void runSlice() {}
    }

    @State(Scope.Thread)
    public static class Ring {
        private final RunRing ring = new RunRing(CAPACITY);
    }

    @State(Scope.Thread)
    public static class Box {
        private final Mailbox box = new Mailbox();
    }

    @State(Scope.Thread)
    public static class Plain {
        private final Queue<Task> queue = new ArrayDeque<>(CAPACITY);
    }

    @State(Scope.Thread)
    public static class Spsc {
        private final Queue<Task> queue = new SpscVarHandleArrayQueue<>(CAPACITY);
    }

    @State(Scope.Thread)
    public static class Mpmc {
        private final Queue<Task> queue = new MpmcVarHandleArrayQueue<>(CAPACITY);
    }

    @State(Scope.Thread)
    public static class Mpsc {
        private final Queue<Task> queue = new MpscUnboundedVarHandleArrayQueue<>(CAPACITY);
    }

    @Benchmark
    public @Nullable Task runRing(Ring in, Crowd tasks) {
        in.ring.push(tasks.one);
        return in.ring.take();
    }

    @Benchmark
    public @Nullable Task arrayDeque(Plain in, Crowd tasks) {
        return throughOne(in.queue, tasks);
    }

    @Benchmark
    public @Nullable Task spsc(Spsc in, Crowd tasks) {
        return throughOne(in.queue, tasks);
    }

    @Benchmark
    public @Nullable Task mpmc(Mpmc in, Crowd tasks) {
        return throughOne(in.queue, tasks);
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int mailboxBatch(Box in, Crowd tasks) {
        for (Task task : tasks.many) in.box.send(task);
        int taken = 0;
        Task each = in.box.takeAll();
        while (each != null) {
            each = Tasks.unlink(each);
            taken++;
        }
        in.box.tryIdle();
        return taken;
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int arrayDequeBatch(Plain in, Crowd tasks) {
        return throughAll(in.queue, tasks);
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int mpscBatch(Mpsc in, Crowd tasks) {
        return throughAll(in.queue, tasks);
    }

    private static @Nullable Task throughOne(Queue<Task> queue, Crowd tasks) {
        queue.offer(tasks.one);
        return queue.poll();
    }

    private static int throughAll(Queue<Task> queue, Crowd tasks) {
        for (Task task : tasks.many) queue.offer(task);
        int taken = 0;
        while (queue.poll() != null) taken++;
        return taken;
    }
}
