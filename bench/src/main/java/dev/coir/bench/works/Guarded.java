package dev.coir.bench.works;

import java.util.concurrent.locks.Lock;

/** A number that a lock guards. */
final class Guarded {
    private long number;

    /** Adds one, {@code times} times, each under the lock. */
    void add(Lock lock, int times) {
        for (int i = 0; i < times; i++) {
            lock.lock();
            try {
                number++;
            } finally {
                lock.unlock();
            }
        }
    }

    /** Holds it to what must have been added; no lock is needed when all have ended. */
    void ensure(long expected) {
        if (number != expected) throw new IllegalStateException("added: " + number + " (expected: " + expected + ")");
    }
}
