package dev.coir.observe;

import java.util.Arrays;
import java.util.List;

/** Cuts the machinery off both ends of a stack, so that the user's line is seen at once. */
final class Frames {
    private static final List<String> MACHINERY = List.of(
            "jdk.internal.",
            "dev.coir.internal.",
            "dev.coir.fiber.LightFiber",
            "dev.coir.fiber.VirtualFiber",
            "dev.coir.fiber.Completion",
            "dev.coir.observe.Survey",
            "dev.coir.observe.Walk",
            "java.lang.VirtualThread",
            "java.lang.System$",
            "java.util.concurrent.locks.LockSupport");

    private static final List<String> OPERATIONS = List.of(
            "dev.coir.channel.",
            "dev.coir.executor.",
            "dev.coir.fiber.",
            "dev.coir.net.",
            "dev.coir.parallel.",
            "dev.coir.scope.",
            "dev.coir.sync.");

    private Frames() {}

    /**
     * The frames of one fiber, or of one task, without what suspends and runs it. Of Coir's operations the one that the user
     * called is left. All frames if nothing else is there.
     */
    static List<StackTraceElement> trimmed(StackTraceElement[] stack) {
        int from = 0;
        while (from < stack.length && isMachinery(stack[from])) from++;
        while (from + 1 < stack.length && isOperation(stack[from]) && isOperation(stack[from + 1])) from++;
        int to = bottom(stack, from);
        while (to > from && isMachinery(stack[to - 1])) to--;
        return from == to ? List.of(stack) : List.of(Arrays.copyOfRange(stack, from, to));
    }

    /** Below the fiber's body lie the frames of the thread that runs it, which may be another's: a bound thread waits there. */
    private static int bottom(StackTraceElement[] stack, int from) {
        for (int i = from; i < stack.length; i++) if (runsTheBody(stack[i])) return i;
        return stack.length;
    }

    private static boolean runsTheBody(StackTraceElement frame) {
        return switch (frame.getClassName()) {
            case "dev.coir.fiber.Fiber" -> frame.getMethodName().equals("runBody");
            case "dev.coir.internal.task.Tasks$Plain", "dev.coir.internal.task.Tasks$Slice" -> true;
            default -> false;
        };
    }

    private static boolean isOperation(StackTraceElement frame) {
        if (runsTheBody(frame) || isMachinery(frame)) return false;
        String in = frame.getClassName();
        for (String each : OPERATIONS) if (in.startsWith(each)) return true;
        return in.equals("dev.coir.observe.FiberDump");
    }

    private static boolean isMachinery(StackTraceElement frame) {
        String in = frame.getClassName();
        for (String each : MACHINERY) if (in.startsWith(each)) return true;
        if (in.equals("dev.coir.fiber.Fiber")) return frame.getMethodName().equals("call");
        return in.equals("java.lang.Thread")
                && (frame.getMethodName().equals("run")
                        || frame.getMethodName().startsWith("yield")
                        || frame.getMethodName().equals("getStackTrace"));
    }
}
