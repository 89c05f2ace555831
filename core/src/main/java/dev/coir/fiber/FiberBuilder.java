package dev.coir.fiber;

import dev.coir.internal.JdkAccess;
import dev.coir.internal.sched.Carrier;
import dev.coir.internal.sched.SchedulerCore;
import dev.coir.internal.task.Task;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Collects and checks the attributes of fibers to be made. */
final class FiberBuilder implements Fiber.Builder {
    private @Nullable Executor on;
    private Fiber.Kind kind = Fiber.Kind.VIRTUAL;
    private @Nullable String name;
    private int group = -1;
    private boolean local;

    @Override
    public Fiber.Builder on(Executor executor) {
        on = Objects.requireNonNull(executor, "executor");
        return this;
    }

    @Override
    public Fiber.Builder kind(Fiber.Kind k) {
        kind = Objects.requireNonNull(k, "kind");
        return this;
    }

    @Override
    public Fiber.Builder name(String n) {
        name = Objects.requireNonNull(n, "name");
        return this;
    }

    @Override
    public Fiber.Builder group(int number) {
        if (number < 0) throw new IllegalArgumentException("group: " + number + " (expected: 0 or more)");
        group = number;
        return this;
    }

    @Override
    public Fiber.Builder local(boolean b) {
        local = b;
        return this;
    }

    @Override
    public <T extends @Nullable Object> Fiber<T> start(Callable<? extends T> body) {
        Fiber<T> fiber = unstarted(body);
        return fiber.startUnseen();
    }

    @Override
    public Fiber<@Nullable Void> start(Runnable body) {
        return unstarted(body).startUnseen();
    }

    @Override
    public <T extends @Nullable Object> Fiber<T> unstarted(Callable<? extends T> body) {
        return resolved().make(Objects.requireNonNull(body, "body"), false);
    }

    @Override
    public Fiber<@Nullable Void> unstarted(Runnable body) {
        return resolved().make(Objects.requireNonNull(body, "body"), true);
    }

    @Override
    public <T extends @Nullable Object> List<Fiber<T>> startAll(Collection<? extends Callable<? extends T>> bodies) {
        var copied = new ArrayList<>(Objects.requireNonNull(bodies, "bodies")); // others may change theirs meanwhile
        return resolved().startAllHere(copied);
    }

    private <T extends @Nullable Object> List<Fiber<T>> startAllHere(List<? extends Callable<? extends T>> bodies) {
        if (bodies.isEmpty()) return List.of();
        SchedulerCore core = core();
        if (core != null && group < 0)
            return with(executor(), core.group(group).number()).startAllHere(bodies);
        List<Fiber<T>> fibers = new ArrayList<>(bodies.size());
        for (Callable<? extends T> body : bodies) fibers.add(unstarted(body));
        if (core == null || local) {
            throw new IllegalStateException("startAll needs a Scheduler and no local(true) (executor: " + executor()
                    + "): no other can promise to take all or none");
        }
        core.spawnAll(fibers.toArray(Task[]::new), group, () -> fibers.forEach(Fiber::startReserved));
        return List.copyOf(fibers);
    }

    /** These attributes with the executor settled: a builder that names none means the one that is current at each call. */
    private FiberBuilder resolved() {
        return on != null ? this : with(Fiber.currentExecutor(), group);
    }

    private FiberBuilder with(Executor executor, int groupNumber) {
        var changed = new FiberBuilder();
        changed.on = executor;
        changed.kind = kind;
        changed.name = name;
        changed.group = groupNumber;
        changed.local = local;
        return changed;
    }

    private <T extends @Nullable Object> Fiber<T> make(Object body, boolean isRunnable) {
        JdkAccess.ensureOpen(); // before a class that needs it is initialised: it would hide the cure
        SchedulerCore core = core();
        if (core == null && (group >= 0 || local)) {
            throw new IllegalArgumentException((local ? "local(true)" : "group(" + group + ")") + " on " + on
                    + ": only a Scheduler has groups and threads to choose from");
        }
        if (core != null && group >= core.groupCount()) {
            throw new IllegalArgumentException(
                    "group: " + group + " (expected: below " + core.groupCount() + ", the number of groups)");
        }
        if (kind == Fiber.Kind.LIGHT && !LightFiber.canRunOn(executor())) {
            throw new IllegalArgumentException(
                    "a LIGHT fiber on " + on + ": it must stay on one thread, which this executor"
                            + " does not promise; use a Scheduler or a ManualExecutor, or kind VIRTUAL");
        }
        Carrier home = core != null && local ? core.carrierFor(group) : null;
        Object runsOn = home != null ? home.group() : core != null ? core.group(group) : executor();
        return kind == Fiber.Kind.VIRTUAL
                ? new VirtualFiber<>(runsOn, home, name, body, isRunnable)
                : new LightFiber<>(runsOn, home, name, body, isRunnable);
    }

    private Executor executor() {
        return Objects.requireNonNull(on);
    }

    private @Nullable SchedulerCore core() {
        return SchedulerCore.of(executor());
    }
}
