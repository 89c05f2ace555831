package dev.coir.sync;

import java.util.Collection;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

class MutexConditionTest extends ConditionContract {
    private final Mutex mutex = new Mutex();

    @Override
    Lock lock() {
        return mutex;
    }

    @Override
    int holds() {
        return mutex.getHoldCount();
    }

    @Override
    int waiting(Condition condition) {
        return mutex.getWaitQueueLength(condition);
    }

    @Override
    boolean hasWaiters(Condition condition) {
        return mutex.hasWaiters(condition);
    }

    @Override
    Collection<Thread> waitingThreads(Condition condition) {
        return mutex.getWaitingThreads(condition);
    }

    @Override
    Condition ofAnother() {
        return new Mutex().newCondition();
    }
}
