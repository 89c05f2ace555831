package dev.coir.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.coir.fiber.Fiber;
import dev.coir.sync.RwLock.Preference;
import dev.coir.testing.Crowd;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

class RwLockTest extends SyncContract {
    private static void untilQueued(RwLock rw, int number) {
        Crowd.until(() -> rw.getQueueLength() == number);
    }

    /** Holds a lock as the first of the pairing until the latch is opened. */
    private Running held(Lock lock, Latch until) {
        var has = new Latch(1);
        Running holder = first(() -> {
            lock.lock();
            has.countDown();
            until.await();
            lock.unlock();
        });
        Crowd.until(() -> has.getCount() == 0);
        return holder;
    }

    @Test
    void oneWritesOrManyRead() throws Exception {
        for (Preference preference : Preference.values()) {
            var rw = new RwLock(preference);
            assertEquals(preference, rw.preference());
            int[] pair = {0, 0}; // plain on purpose
            var inside = new AtomicInteger();
            List<Running> all = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                boolean writes = i < 2;
                all.add(either(i, () -> {
                    for (int j = 0; j < 40; j++) {
                        Lock lock = writes ? rw.writeLock() : rw.readLock();
                        lock.lock();
                        if (writes) {
                            assertEquals(1, inside.incrementAndGet());
                            pair[0]++;
                            if (j % 8 == 0) Fiber.yield();
                            pair[1]++;
                            inside.decrementAndGet();
                        } else {
                            if (j % 8 == 0) Fiber.yield();
                            assertEquals(0, inside.get());
                            assertEquals(pair[0], pair[1]);
                        }
                        lock.unlock();
                    }
                }));
            }
            for (Running each : all) each.join();
            assertEquals(80, pair[0]);
            assertEquals(0, rw.getReadLockCount());
            assertFalse(rw.isWriteLocked());
            assertFalse(rw.hasQueuedThreads());
        }
    }

    @Test
    void readersReadTogether() throws Exception {
        var rw = new RwLock();
        var barrier = new Barrier(3);
        List<Running> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.add(either(i, () -> {
                rw.readLock().lock();
                barrier.await();
                rw.readLock().unlock();
            }));
        }
        for (Running each : all) each.join();
    }

    @Test
    void bothAreReentrantAndAWriterMayRead() throws Exception {
        for (Preference preference : Preference.values()) {
            var rw = new RwLock(preference);
            inFirst(() -> {
                rw.readLock().lock();
                assertTrue(rw.readLock().tryLock());
                rw.readLock().lockInterruptibly();
                assertEquals(3, rw.getReadHoldCount());
                assertEquals(3, rw.getReadLockCount());
                for (int i = 0; i < 3; i++) rw.readLock().unlock();
                assertEquals(0, rw.getReadHoldCount());
                rw.writeLock().lock();
                assertTrue(rw.writeLock().tryLock());
                assertTrue(rw.writeLock().tryLock(0, TimeUnit.SECONDS));
                assertEquals(3, rw.getWriteHoldCount());
                assertEquals(3, rw.writeLock().getHoldCount());
                rw.readLock().lock();
                assertTrue(rw.readLock().tryLock(0, TimeUnit.SECONDS));
                rw.writeLock().lock();
                for (int i = 0; i < 4; i++) rw.writeLock().unlock();
                assertFalse(rw.isWriteLocked());
                assertEquals(2, rw.getReadHoldCount(), "the writer has become a reader");
                rw.readLock().unlock();
                rw.readLock().unlock();
                assertEquals(0, rw.getReadLockCount());
            });
        }
    }

    @Test
    void aReaderThatWantsToWriteIsRefused() throws Exception {
        for (Preference preference : Preference.values()) {
            var rw = new RwLock(preference);
            inFirst(() -> {
                rw.readLock().lock();
                var refusal = assertThrows(IllegalStateException.class, rw.writeLock()::lock);
                assertTrue(refusal.getMessage().contains("give the read lock back first"), refusal::getMessage);
                assertThrows(IllegalStateException.class, rw.writeLock()::lockInterruptibly);
                assertFalse(rw.writeLock().tryLock());
                assertFalse(rw.writeLock().tryLock(1, TimeUnit.DAYS));
                assertEquals(1, rw.getReadHoldCount());
                rw.readLock().unlock();
                rw.writeLock().lock();
                rw.writeLock().unlock();
            });
        }
    }

    @Test
    void onlyWhoLockedMayUnlock() throws Exception {
        var rw = new RwLock();
        var release = new Latch(1);
        Running writer = held(rw.writeLock(), release);
        second(() -> {
                    assertThrows(IllegalMonitorStateException.class, rw.writeLock()::unlock);
                    assertThrows(IllegalMonitorStateException.class, rw.readLock()::unlock);
                    assertFalse(rw.isWriteLockedByCurrentThread());
                    assertFalse(rw.writeLock().isHeldByCurrentThread());
                    assertFalse(rw.writeLock().tryLock());
                    assertFalse(rw.readLock().tryLock());
                    assertFalse(rw.readLock().tryLock(0, TimeUnit.SECONDS));
                })
                .join();
        assertEquals(writer.thread(), rw.getOwner());
        release.countDown();
        writer.join();
        assertNull(rw.getOwner());
        var readers = new Latch(1);
        held(rw.readLock(), readers);
        second(() -> assertThrows(IllegalMonitorStateException.class, rw.readLock()::unlock))
                .join();
        readers.countDown();
    }

    /** Held for reading; a writer, then a reader, then a writer come. Who gets in, in which order? */
    private List<String> order(Preference preference) throws Exception {
        var rw = new RwLock(preference);
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        var release = new Latch(1);
        Running holder = held(rw.writeLock(), release);
        List<Running> all = new ArrayList<>();
        for (String who : List.of("w1", "r1", "r2", "w2", "r3")) {
            Lock lock = who.startsWith("w") ? rw.writeLock() : rw.readLock();
            all.add(either(all.size(), () -> {
                lock.lock();
                order.add(who);
                lock.unlock();
            }));
            untilQueued(rw, all.size());
        }
        assertEquals(3, rw.getQueuedReaderThreads().size() + lightOnes(1, 2, 4));
        assertEquals(2, rw.getQueuedWriterThreads().size() + lightOnes(0, 3));
        assertEquals(5, rw.getQueuedThreads().size() + lightOnes(0, 1, 2, 3, 4));
        if (all.getFirst().thread() != null)
            assertTrue(rw.hasQueuedThread(all.getFirst().thread()));
        release.countDown();
        for (Running each : all) each.join();
        holder.join();
        return order;
    }

    private int lightOnes(int... numbers) {
        int found = 0;
        for (int each : numbers) {
            if ((each % 2 == 0 ? pairing.first() : pairing.second()) == Who.LIGHT_FIBER) found++;
        }
        return found;
    }

    @Test
    void thePreferenceTellsWhoGoesFirst() throws Exception {
        List<String> fair = order(Preference.FAIR);
        assertEquals("w1", fair.get(0));
        assertEquals(List.of("r1", "r2"), fair.subList(1, 3).stream().sorted().toList());
        assertEquals(List.of("w2", "r3"), fair.subList(3, 5));
        List<String> readers = order(Preference.READERS);
        assertEquals(
                List.of("r1", "r2", "r3"),
                readers.subList(0, 3).stream().sorted().toList());
        assertEquals(List.of("w1", "w2"), readers.subList(3, 5));
        List<String> writers = order(Preference.WRITERS);
        assertEquals(List.of("w1", "w2"), writers.subList(0, 2));
        assertEquals(
                List.of("r1", "r2", "r3"),
                writers.subList(2, 5).stream().sorted().toList());
    }

    @Test
    void aWaitingWriterHoldsOffNewReadersUnlessTheyArePreferredOrReadAlready() throws Exception {
        for (Preference preference : Preference.values()) {
            var rw = new RwLock(preference);
            var again = new Latch(1);
            var release = new Latch(1);
            Running reader = first(() -> {
                rw.readLock().lock();
                again.await();
                rw.readLock().lock();
                assertEquals(2, rw.getReadHoldCount());
                release.await();
                rw.readLock().unlock();
                rw.readLock().unlock();
            });
            Crowd.until(() -> rw.getReadLockCount() == 1);
            Running writer = second(() -> {
                rw.writeLock().lock();
                rw.writeLock().unlock();
            });
            untilQueued(rw, 1);
            second(() -> {
                        boolean got = rw.readLock().tryLock(0, TimeUnit.SECONDS);
                        assertEquals(preference == Preference.READERS, got);
                        if (got) rw.readLock().unlock();
                        assertTrue(rw.readLock().tryLock(), "barges, as documented");
                        rw.readLock().unlock();
                    })
                    .join();
            again.countDown();
            Crowd.until(() -> rw.getReadLockCount() == 2);
            release.countDown();
            reader.join();
            writer.join();
        }
    }

    @Test
    void anInterruptOrATimeOutEndsTheWait() throws Exception {
        for (Preference preference : Preference.values()) {
            var rw = new RwLock(preference);
            var release = new Latch(1);
            Running holder = held(rw.writeLock(), release);
            for (Lock lock : List.of(rw.readLock(), rw.writeLock())) {
                for (Body wait : List.<Body>of(lock::lockInterruptibly, () -> lock.tryLock(1, TimeUnit.DAYS))) {
                    Running waiter = second(() -> assertInterrupted(wait::run));
                    untilQueued(rw, 1);
                    waiter.interrupt();
                    waiter.join();
                    assertEquals(0, rw.getQueueLength());
                }
                second(() -> {
                            assertFalse(lock.tryLock(1, TimeUnit.MILLISECONDS));
                            Thread.currentThread().interrupt();
                            assertInterrupted(lock::lockInterruptibly);
                            Thread.currentThread().interrupt();
                            assertInterrupted(() -> lock.tryLock(0, TimeUnit.SECONDS));
                            assertThrows(NullPointerException.class, () -> lock.tryLock(1, null));
                        })
                        .join();
                Running stubborn = second(() -> {
                    lock.lock();
                    assertTrue(tookInterrupt());
                    lock.unlock();
                });
                untilQueued(rw, 1);
                stubborn.interrupt();
                if (lock == rw.writeLock()) release.countDown();
                else assertEquals(1, rw.getQueueLength());
                if (lock == rw.readLock()) {
                    release.countDown();
                    stubborn.join();
                    holder.join();
                    release = new Latch(1);
                    holder = held(rw.writeLock(), release);
                }
            }
            holder.join();
        }
    }

    /** A writer waits behind a reader, readers behind the writer; it gives up, and they need wait no longer. */
    @Test
    void aWriterThatGivesUpLetsTheReadersBehindItPass() throws Exception {
        for (Preference preference : List.of(Preference.FAIR, Preference.WRITERS)) {
            var rw = new RwLock(preference);
            var release = new Latch(1);
            Running holder = held(rw.readLock(), release);
            Running writer = second(() -> assertInterrupted(rw.writeLock()::lockInterruptibly));
            untilQueued(rw, 1);
            Running reader = second(() -> {
                rw.readLock().lock();
                rw.readLock().unlock();
            });
            untilQueued(rw, 2);
            writer.interrupt();
            reader.join();
            writer.join();
            release.countDown();
            holder.join();
        }
    }

    @Test
    void givingUpWhileItIsHandedOverLosesNothing() throws Exception {
        var rw = new RwLock();
        for (int round = 0; round < 16; round++) {
            Lock lock = round % 4 < 2 ? rw.writeLock() : rw.readLock();
            boolean byTime = round % 2 == 0;
            var release = new Latch(1);
            Running holder = held(rw.writeLock(), release);
            Running waiter = second(() -> {
                try {
                    if (byTime) {
                        if (!lock.tryLock(100, TimeUnit.MICROSECONDS)) return;
                    } else {
                        lock.lockInterruptibly();
                    }
                    lock.unlock();
                } catch (InterruptedException e) {
                    assertEquals(0, rw.getReadHoldCount() + rw.getWriteHoldCount());
                }
            });
            if (!byTime) untilQueued(rw, 1);
            release.countDown();
            if (!byTime) waiter.interrupt();
            waiter.join();
            holder.join();
            assertEquals(0, rw.getReadLockCount());
            assertFalse(rw.isWriteLocked());
            assertEquals(0, rw.getQueueLength());
        }
    }

    @Test
    void itsTextTellsWhoIsIn() {
        var rw = new RwLock(Preference.FAIR);
        assertTrue(rw.isFair());
        assertFalse(new RwLock(Preference.WRITERS).isFair());
        assertTrue(rw.toString().contains("[Write locks = 0, Read locks = 0]"), rw::toString);
        rw.readLock().lock();
        assertTrue(rw.toString().contains("[Write locks = 0, Read locks = 1]"), rw::toString);
        assertTrue(rw.readLock().toString().contains("[Read locks = 1]"));
        assertTrue(rw.writeLock().toString().contains("[Unlocked]"));
        rw.readLock().unlock();
        rw.writeLock().lock();
        assertTrue(rw.writeLock().toString().contains("[Locked by thread "));
        rw.writeLock().unlock();
        assertThrows(UnsupportedOperationException.class, rw.readLock()::newCondition);
        assertThrows(NullPointerException.class, () -> new RwLock(null));
        assertThrows(NullPointerException.class, () -> rw.hasQueuedThread(null));
    }
}
