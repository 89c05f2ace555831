package dev.coir.coro;

/** Thrown out of a pending suspend to run the {@code finally} blocks of a body that is being closed. */
final class Unwind extends Error {
    private static final long serialVersionUID = 1L;

    Unwind() {
        super("the coroutine is being closed", null, false, false);
    }
}
