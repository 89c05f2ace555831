package dev.coir.testing;

import dev.coir.coro.Coroutine;
import dev.coir.coro.Generator;

/** A program's first touch of Coir, as JdkAccessTest starts it in JVMs of its own. */
public final class FirstSteps {
    private FirstSteps() {}

    /**
     * Prints "works" when the asked part does.
     *
     * @param args what to touch first
     */
    public static void main(String[] args) {
        switch (args[0]) {
            case "coroutine" -> {
                var co = Coroutine.of(Coroutine::suspend);
                co.resume();
                co.resume();
            }
            case "isInside" -> Coroutine.isInside();
            case "suspend" -> Coroutine.suspend();
            case "generator" -> Generator.of(sink -> sink.yield(1)).iterator().next();
            case "twice" -> {
                try {
                    Coroutine.of(() -> {});
                } catch (IllegalStateException refusal) {
                    Coroutine.of(() -> {});
                }
            }
            default -> throw new IllegalArgumentException(args[0]);
        }
        System.out.println("works");
    }
}
