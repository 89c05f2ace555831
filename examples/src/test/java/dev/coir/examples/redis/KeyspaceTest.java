package dev.coir.examples.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class KeyspaceTest {
    /** The same random steps on a HashMap and on a keyspace, in which everything collides now and then. */
    @Test
    void itHoldsWhatAMapWouldHold() {
        var clock = new AtomicLong();
        var random = new Random(3);
        var keys = new Keyspace(clock::get, 99);
        Map<String, byte[]> expected = new HashMap<>();
        Map<String, Long> times = new HashMap<>();
        for (int step = 0; step < 200_000; step++) {
            String name = "k".repeat(random.nextInt(20)) + random.nextInt(3_000);
            byte[] buffer = ("<<" + name + ">>").getBytes(ISO_8859_1);
            int to = buffer.length - 2;
            if (expected.containsKey(name) && times.getOrDefault(name, Long.MAX_VALUE) <= clock.get()) {
                expected.remove(name);
                times.remove(name);
            }
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    byte[] value = {(byte) step};
                    long expiry = random.nextInt(3) == 0 ? clock.get() + random.nextInt(500) : Keyspace.NEVER;
                    keys.put(buffer, 2, to, value).expiresAt = expiry;
                    expected.put(name, value);
                    times.put(name, expiry);
                }
                case 2 -> {
                    assertEquals(expected.remove(name) != null, keys.remove(buffer, 2, to));
                    times.remove(name);
                }
                case 3 -> {
                    clock.incrementAndGet();
                    keys.sweep(10);
                }
                default -> {
                    Keyspace.Entry found = keys.find(buffer, 2, to);
                    if (expected.containsKey(name))
                        assertArrayEquals(expected.get(name), Objects.requireNonNull(found).value);
                    else assertNull(found, name);
                }
            }
        }
        keys.sweep(Integer.MAX_VALUE);
        times.values().removeIf(time -> time <= clock.get());
        assertEquals(times.size(), keys.size());
        keys.clear();
        assertEquals(0, keys.size());
    }
}
