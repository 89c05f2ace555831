package dev.coir.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.coir.channel.Channel;
import dev.coir.channel.Select;
import dev.coir.fiber.Fiber;
import dev.coir.scope.Scope;
import dev.coir.sync.Mutex;
import dev.coir.sync.Semaphore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Some of everything: channels, selects, time-outs, locks, a semaphore, a scope, sleeps and yields. */
record Bazaar(Fiber.Kind kind) implements Simulation.Program {
    private static final int TRADERS = 6;
    private static final int DEALS = 5;

    @Override
    public void run() throws Exception {
        var stand = Channel.<Integer>rendezvous();
        var chest = Channel.<Integer>buffered(3);
        var scales = new Mutex();
        var tables = new Semaphore(2);
        int[] sum = {0};
        for (int i = 0; i < TRADERS; i++) {
            int trader = i;
            Fiber.builder().kind(kind).start(() -> {
                for (int deal = 0; deal < DEALS; deal++) {
                    Simulation.point();
                    while (!tables.tryAcquire(1 + trader, TimeUnit.MILLISECONDS)) Fiber.yield();
                    Fiber.sleep(Duration.ofMillis(Simulation.random().nextInt(3)));
                    tables.release();
                    boolean atTheStand = Select.select(stand.onSend(1, () -> true), chest.onSend(1, () -> false));
                    if (atTheStand) Fiber.yield();
                }
                return null;
            });
        }
        try (var scope = Scope.open().withTimeout(Duration.ofHours(1))) {
            for (int i = 0; i < 3; i++) {
                scope.fork(() -> {
                    for (int deal = 0; deal < TRADERS * DEALS / 3; deal++) {
                        int value = Select.select(stand.onReceive(got -> got), chest.onReceive(got -> got));
                        scales.lock();
                        try {
                            int before = sum[0];
                            Fiber.yield();
                            sum[0] = before + value;
                        } finally {
                            scales.unlock();
                        }
                    }
                    return null;
                });
            }
            scope.join();
        }
        assertEquals(TRADERS * DEALS, sum[0]);
    }

    static String shown(SimulationReport report) {
        return report.steps() + " " + report.elapsed() + " " + report.fingerprint();
    }

    public static void main(String[] seed) throws Exception {
        System.out.println(shown(Simulation.run(Long.parseLong(seed[0]), new Bazaar(Fiber.Kind.VIRTUAL))));
    }
}
