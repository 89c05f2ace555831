package dev.coir.bench.micro;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * How long to measure. A round runs every work of a comparison once, each in a JVM of its own.
 *
 * @param rounds how many rounds
 * @param warmups iterations of each run that are not counted
 * @param warmupTime how long each of them takes
 * @param iterations iterations that are counted
 * @param iterationTime how long each of them takes
 */
record Plan(int rounds, int warmups, TimeValue warmupTime, int iterations, TimeValue iterationTime) {
    private static final double JVM_START_SECONDS = 0.8;

    static final Plan QUICK = new Plan(3, 2, TimeValue.milliseconds(300), 4, TimeValue.milliseconds(150));
    static final Plan FULL = new Plan(5, 3, TimeValue.seconds(1), 5, TimeValue.milliseconds(500));

    /** This plan, with what the JMH arguments say otherwise. */
    Plan with(CommandLineOptions jmh) {
        return new Plan(
                jmh.getForkCount().orElse(rounds),
                jmh.getWarmupIterations().orElse(warmups),
                jmh.getWarmupTime().orElse(warmupTime),
                jmh.getMeasurementIterations().orElse(iterations),
                jmh.getMeasurementTime().orElse(iterationTime));
    }

    /** An estimate for {@code works} works. */
    double seconds(int works) {
        return works
                * rounds
                * (JVM_START_SECONDS + warmups * seconds(warmupTime) + iterations * seconds(iterationTime));
    }

    private static double seconds(TimeValue time) {
        return time.convertTo(TimeUnit.MICROSECONDS) / 1e6;
    }
}
