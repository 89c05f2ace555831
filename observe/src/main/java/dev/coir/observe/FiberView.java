package dev.coir.observe;

import dev.coir.fiber.Fiber;
import java.util.List;
import java.util.Optional;

/**
 * A fiber, as a dump found it.
 *
 * @param name its name, given or made from its number
 * @param id its number, unique in this JVM
 * @param kind what its stack is made of
 * @param status what it was doing
 * @param cancelled whether it has been cancelled, and only unwinds
 * @param waitReason what it waited for, if it waited in one of Coir's operations
 * @param thread the thread of the scheduler to which it is tied, or on which it ran; empty for one that may go on anywhere
 * @param stack its frames, newest first, without the machinery at both ends; empty when there are none or they could not be had
 * @param stackMissing why they could not be had; empty when they could
 */
public record FiberView(
        String name,
        long id,
        Fiber.Kind kind,
        Fiber.Status status,
        boolean cancelled,
        Optional<String> waitReason,
        Optional<String> thread,
        List<StackTraceElement> stack,
        Optional<String> stackMissing) {
    /** Copies the frames. */
    public FiberView {
        stack = List.copyOf(stack);
    }
}
