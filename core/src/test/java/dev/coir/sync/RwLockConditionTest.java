package dev.coir.sync;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collection;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

class RwLockConditionTest extends ConditionContract {
    private final RwLock rw = new RwLock();

    @Override
    Lock lock() {
        return rw.writeLock();
    }

    @Override
    int holds() {
        return rw.getWriteHoldCount();
    }

    @Override
    int waiting(Condition condition) {
        return rw.getWaitQueueLength(condition);
    }

    @Override
    boolean hasWaiters(Condition condition) {
        return rw.hasWaiters(condition);
    }

    @Override
    Collection<Thread> waitingThreads(Condition condition) {
        return rw.getWaitingThreads(condition);
    }

    @Override
    Condition ofAnother() {
        return new RwLock().writeLock().newCondition();
    }

    @Test
    void whoReadsAsWellMayNotWaitForACondition() throws Exception {
        Condition condition = rw.writeLock().newCondition();
        inFirst(() -> {
            rw.writeLock().lock();
            rw.readLock().lock();
            var refusal = assertThrows(IllegalStateException.class, condition::awaitUninterruptibly);
            assertTrue(refusal.getMessage().contains("give the read lock back first"), refusal::getMessage);
            assertTrue(rw.isWriteLockedByCurrentThread());
            rw.readLock().unlock();
            rw.writeLock().unlock();
        });
    }
}
