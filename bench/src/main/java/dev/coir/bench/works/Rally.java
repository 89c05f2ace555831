package dev.coir.bench.works;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A ball that two threads pass to and fro, each parked until it comes. */
final class Rally {
    private final int trips;
    private @Nullable Thread ping; // set before either starts
    private @Nullable Thread pong;
    private volatile int ball; // even: ping's

    Rally(int trips) {
        this.trips = trips;
    }

    void between(Thread pinging, Thread ponging) {
        ping = pinging;
        pong = ponging;
    }

    void ping() {
        for (int i = 0; i < trips; i++) {
            ball = 2 * i + 1;
            LockSupport.unpark(pong);
            while (ball != 2 * i + 2) LockSupport.park();
        }
    }

    void pong() {
        for (int i = 0; i < trips; i++) {
            while (ball != 2 * i + 1) LockSupport.park();
            ball = 2 * i + 2;
            LockSupport.unpark(ping);
        }
    }
}
