package dev.coir.sync;

class SpinLockTest extends BusyLockContract {
    SpinLockTest() {
        super(new SpinLock());
    }
}
