package dev.coir.net;

import java.time.Duration;
import java.util.Objects;

/** Time-outs, kept as nanoseconds; 0 means for ever. */
final class Timeouts {
    private Timeouts() {}

    static long nanos(Duration timeout) {
        if (Objects.requireNonNull(timeout, "timeout").isNegative())
            throw new IllegalArgumentException("timeout: " + timeout + " (expected: more than zero, or zero for ever)");
        try {
            return timeout.toNanos();
        } catch (ArithmeticException centuries) {
            return 0;
        }
    }
}
