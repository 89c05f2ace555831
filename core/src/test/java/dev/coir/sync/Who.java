package dev.coir.sync;

/** What a party of a test is. */
enum Who {
    THREAD,
    VIRTUAL_THREAD,
    BOUND_THREAD,
    VIRTUAL_FIBER,
    LIGHT_FIBER;

    boolean isFiber() {
        return this == VIRTUAL_FIBER || this == LIGHT_FIBER;
    }
}
