package dev.coir.bench.works;

import dev.coir.fiber.Fiber;

/** Coir's fibers of kind VIRTUAL, which can be parked as threads are. */
final class CoirVirtualWorks extends CoirWorks {
    CoirVirtualWorks(int workers) {
        super(Fiber.Kind.VIRTUAL, workers);
    }

    @Override
    void parkTrips(int trips) {
        var rally = new Rally(trips);
        Fiber<?> ping = fibers().unstarted(rally::ping);
        Fiber<?> pong = fibers().unstarted(rally::pong);
        rally.between(ping.thread().orElseThrow(), pong.thread().orElseThrow());
        pong.start();
        ping.start();
        ping.join();
        pong.join();
    }
}
