package dev.coir.sim;

import dev.coir.fiber.Fiber;
import dev.coir.internal.task.World;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Runs a program of fibers in a world of its own: one thread, a clock that jumps over the times when nobody can run, and a
 * seed that decides who runs next, which of several ready clauses a select takes, and how long each step is. The same seed
 * gives the same run, so a test that fails once can be made to fail again.
 *
 * {@snippet :
 * Simulation.explore(1_000, () -> {
 *     var account = new Account(100);
 *     Parallel.run(() -> account.withdraw(70), () -> account.withdraw(70));
 *     assert account.balance() >= 0;
 * });
 * }
 *
 * <p>The program is the first fiber, and a run ends when all fibers have ended. It fails when the program throws, when a fiber
 * throws whose outcome nobody can ask for, when fibers wait and nothing can wake them, or when there is no end in sight.
 *
 * <p>Fibers change places where they wait or yield, and at {@linkplain #point points}. Whatever the fibers do by Coir's means
 * takes the world's time: a sleep of an hour takes none of yours. What leaves the world is not decided by the seed: other
 * threads and executors, {@code Thread.sleep}, sockets, {@code System.nanoTime}, random numbers that are not
 * {@linkplain #random the world's}.
 */
public final class Simulation {
    /** With this system property {@link #explore} tries that one seed only. */
    public static final String SEED_PROPERTY = "coir.sim.seed";

    /** What is run. It runs as a fiber, and may start others. */
    @FunctionalInterface
    public interface Program {
        /**
         * Runs it.
         *
         * @throws Exception fails the run
         */
        void run() throws Exception;
    }

    /** What runs are to be like. */
    public interface Builder {
        /**
         * What the program's fiber is made of.
         *
         * @param k default: VIRTUAL
         * @return this
         */
        Builder kind(Fiber.Kind k);

        /**
         * After how many steps a run counts as endless.
         *
         * @param n one or more. Default: a million
         * @return this
         */
        Builder maxSteps(long n);

        /**
         * After which time a step counts as blocked; of your time, not the world's.
         *
         * @param limit more than zero. Default: 10 seconds
         * @return this
         */
        Builder stepLimit(Duration limit);

        /**
         * Runs a program once: {@link Simulation#run}.
         *
         * @param seed decides what happens
         * @param program what to run
         * @return how it went
         * @throws InterruptedException when the caller is interrupted; the run is given up
         */
        SimulationReport run(long seed, Program program) throws InterruptedException;

        /**
         * Runs a program many times: {@link Simulation#explore}.
         *
         * @param runs how many seeds to try, 1 or more
         * @param program what to run, anew each time
         * @throws InterruptedException when the caller is interrupted; the run is given up
         */
        void explore(int runs, Program program) throws InterruptedException;
    }

    private Simulation() {}

    /**
     * For runs with other than the usual limits.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Settings();
    }

    /**
     * Runs a program once.
     *
     * @param seed decides what happens
     * @param program what to run
     * @return how it went
     * @throws SimulationFailure when it fails
     * @throws InterruptedException when the caller is interrupted; the run is given up
     */
    public static SimulationReport run(long seed, Program program) throws InterruptedException {
        return builder().run(seed, program);
    }

    /**
     * Runs a program many times, with seeds from 0 on, until one fails. If the system property {@value #SEED_PROPERTY} is set, only
     * with that seed.
     *
     * @param runs how many seeds to try, 1 or more
     * @param program what to run, anew each time
     * @throws SimulationFailure for the first seed that fails
     * @throws InterruptedException when the caller is interrupted; the run is given up
     */
    public static void explore(int runs, Program program) throws InterruptedException {
        builder().explore(runs, program);
    }

    // ---- inside ----------------------------------------------------------------------------------------------------

    /**
     * Whether the calling fiber is in a simulation.
     *
     * @return false for everybody else
     */
    public static boolean isInside() {
        return World.current() instanceof SimulatedWorld;
    }

    /** A place where others may run, in half of the cases; put it where a thread could be interrupted. Outside: nothing. */
    public static void point() {
        World world = World.current();
        if (world instanceof SimulatedWorld && world.chance(2) == 0) Fiber.yield();
    }

    /**
     * How much time has passed.
     *
     * @return since the run began
     * @throws IllegalStateException outside a simulation
     */
    public static Duration elapsed() {
        return Duration.ofNanos(inside("elapsed").nanoTime());
    }

    /**
     * Chances that the seed decides.
     *
     * @return random numbers, for this run's fibers only
     * @throws IllegalStateException outside a simulation
     */
    public static RandomGenerator random() {
        return inside("random").programs();
    }

    private static SimulatedWorld inside(String method) {
        if (World.current() instanceof SimulatedWorld world) return world;
        throw new IllegalStateException(
                method + " is for fibers of a simulation; call it in the program that Simulation.run gets");
    }

    /** Made by {@link #builder}. */
    private static final class Settings implements Builder {
        private Fiber.Kind kind = Fiber.Kind.VIRTUAL;
        private long maxSteps = 1_000_000;
        private Duration stepLimit = Duration.ofSeconds(10);

        @Override
        public Builder kind(Fiber.Kind k) {
            kind = Objects.requireNonNull(k, "k");
            return this;
        }

        @Override
        public Builder maxSteps(long n) {
            if (n < 1) throw new IllegalArgumentException("maxSteps: " + n + " (expected: 1 or more)");
            maxSteps = n;
            return this;
        }

        @Override
        public Builder stepLimit(Duration limit) {
            if (!limit.isPositive())
                throw new IllegalArgumentException("stepLimit: " + limit + " (expected: more than zero)");
            stepLimit = limit;
            return this;
        }

        @Override
        public SimulationReport run(long seed, Program program) throws InterruptedException {
            Objects.requireNonNull(program, "program");
            if (isInside())
                throw new IllegalStateException("a simulation does not run inside another; run it on its own");
            return new Run(seed, kind, maxSteps, stepLimit, program).await();
        }

        @Override
        public void explore(int runs, Program program) throws InterruptedException {
            if (runs < 1) throw new IllegalArgumentException("runs: " + runs + " (expected: 1 or more)");
            String only = System.getProperty(SEED_PROPERTY);
            if (only != null) {
                run(seed(only), program);
                return;
            }
            for (int seed = 0; seed < runs; seed++) run(seed, program);
        }

        private static long seed(String text) {
            try {
                return Long.parseLong(text.strip());
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(SEED_PROPERTY + ": " + text + " (expected: a whole number)", e);
            }
        }
    }

    /** One run: its thread, and the caller who waits for it. */
    private static final class Run {
        private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
        private final SimulatedWorld world;
        private final Thread thread;
        private final Duration stepLimit;

        Run(long seed, Fiber.Kind kind, long maxSteps, Duration stepLimit, Program program) {
            this.stepLimit = stepLimit;
            this.thread = Thread.ofPlatform()
                    .daemon()
                    .name("coir-simulation-" + seed)
                    .unstarted(() -> runWorld(kind, program));
            this.world = new SimulatedWorld(seed, maxSteps, thread);
        }

        private void runWorld(Fiber.Kind kind, Program program) {
            world.run(Fiber.builder().on(world).kind(kind).name("main").unstarted(() -> {
                try {
                    program.run();
                } catch (Throwable thrown) {
                    world.uncaught(thrown); // whatever else goes on, and also if somebody has cancelled it
                }
                return true;
            }));
        }

        SimulationReport await() throws InterruptedException {
            thread.start();
            try {
                watch();
            } catch (InterruptedException e) {
                world.stop();
                throw e;
            }
            SimulationFailure verdict = world.verdict();
            if (verdict != null) throw verdict;
            return world.report();
        }

        /** Returns when the world has ended. Its thread cannot be stopped where a step blocks it, but that can be said. */
        private void watch() throws InterruptedException {
            long seen = -1;
            long stood = 0;
            long looked = System.nanoTime();
            while (!thread.join(Duration.ofNanos(BETWEEN_LOOKS_NANOS))) {
                long now = System.nanoTime();
                // the machine may have been busy, or asleep: more than it would have taken does not count
                stood += Math.min(now - looked, 2 * BETWEEN_LOOKS_NANOS);
                looked = now;
                long steps = world.stepsSeen();
                if (steps != seen || world.isWaitingForArrivals()) {
                    seen = steps;
                    stood = 0;
                } else if (stood > limitNanos()) {
                    world.stop();
                    if (world.verdict() != null) return; // it hangs in a finally block, and failed before
                    throw new SimulationFailure(blocked(), world.report());
                }
            }
        }

        private long limitNanos() {
            return TimeUnit.NANOSECONDS.convert(stepLimit); // centuries: Long.MAX_VALUE
        }

        private String blocked() {
            return "a step has not come back for " + TimeUnit.MILLISECONDS.convert(stepLimit)
                    + " ms: it computes without end, or blocks the only thread of this world:" + world.runningNow();
        }
    }
}
