package dev.coir.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.coir.testing.Crowd;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class McsLockTest extends BusyLockContract {
    McsLockTest() {
        super(new McsLock());
    }

    /** A waiter spins, so its state tells nothing; that it stands in line shows in the lock's tail. */
    private VarHandle tail() throws ReflectiveOperationException {
        Class<?> place = Class.forName("dev.coir.sync.McsLock$Place");
        return MethodHandles.privateLookupIn(McsLock.class, MethodHandles.lookup())
                .findVarHandle(McsLock.class, "tail", place);
    }

    @Test
    void whoCallsLockFirstGetsItFirst() throws Exception {
        VarHandle tail = tail();
        var order = new ArrayList<Integer>();
        List<Future<Void>> waiters = new ArrayList<>();
        lock.lock();
        for (int i = 0; i < 5; i++) {
            int number = i;
            Object last = tail.getVolatile((McsLock) lock);
            waiters.add(Crowd.start("waiter " + i, any -> {
                lock.lock();
                order.add(number);
                lock.unlock();
            }));
            Crowd.until(() -> tail.getVolatile((McsLock) lock) != last);
        }
        lock.unlock();
        for (Future<Void> waiter : waiters) waiter.get();
        assertEquals(List.of(0, 1, 2, 3, 4), order);
        assertFalse(isLocked());
    }

    @Test
    void tryLockDoesNotOvertakeThoseInLine() throws Exception {
        VarHandle tail = tail();
        lock.lock();
        Object last = tail.getVolatile((McsLock) lock);
        boolean[] seen = new boolean[1];
        var waiter = Crowd.start("waiter", any -> {
            lock.lock();
            seen[0] = true;
            lock.unlock();
        });
        Crowd.until(() -> tail.getVolatile((McsLock) lock) != last);
        lock.unlock();
        Crowd.until(lock::tryLock);
        assertEquals(true, seen[0]);
        lock.unlock();
        waiter.get();
    }
}
