package dev.coir.testing;

import dev.coir.coro.Coroutine;
import dev.coir.coro.Generator;
import dev.coir.executor.ManualExecutor;
import dev.coir.fiber.Fiber;
import java.util.Locale;

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
            case "light", "virtual" -> {
                var executor = new ManualExecutor();
                var kind = Fiber.Kind.valueOf(args[0].toUpperCase(Locale.ROOT));
                Fiber<?> fiber = Fiber.builder().on(executor).kind(kind).start(() -> {});
                executor.drain();
                fiber.join();
            }
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
