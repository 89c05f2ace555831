package dev.coir.testing;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Runs every test method on a fresh thread and fails it, with the stacks of all threads, when it does not end. Registered
 * for the whole suite, so a test may wait without a time limit of its own.
 */
public final class Watchdog implements InvocationInterceptor {
    private static final Duration LIMIT =
            "long".equals(System.getProperty("coir.dose")) ? Duration.ofMinutes(30) : Duration.ofSeconds(60);

    private static final Set<Object> SHOWN = ConcurrentHashMap.newKeySet();

    /** For JUnit. */
    public Watchdog() {}

    /** Puts what {@code thing.toString()} says into the report of a test that hangs, until it is {@linkplain #hide hidden}. */
    public static void show(Object thing) {
        SHOWN.add(thing);
    }

    /** Ends {@link #show}. */
    public static void hide(Object thing) {
        SHOWN.remove(thing);
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> test, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        call(context.getDisplayName(), LIMIT, () -> proceed(test));
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> test, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        call(context.getDisplayName(), LIMIT, () -> proceed(test));
    }

    @Override
    public void interceptAfterEachMethod(
            Invocation<Void> tearDown, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        call("tear-down of " + context.getDisplayName(), LIMIT, () -> proceed(tearDown));
    }

    /** Runs {@code body} on a fresh thread; what it throws leaves here; past the limit it is interrupted and given up. */
    static <T> T call(String name, Duration limit, Callable<T> body) throws Throwable {
        var outcome = new FutureTask<>(body);
        Thread thread = Thread.ofPlatform().daemon().name("test " + name).start(outcome);
        try {
            return outcome.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause();
        } catch (TimeoutException e) {
            String report = shown() + "All stacks:\n" + stacks();
            thread.interrupt();
            throw new AssertionError(name + " did not end within " + limit + ". " + report, e);
        }
    }

    private static Void proceed(Invocation<Void> test) throws Exception {
        try {
            return test.proceed();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static String shown() {
        var text = new StringBuilder();
        for (Object each : SHOWN) text.append(each).append('\n');
        return text.toString();
    }

    private static String stacks() {
        var text = new StringBuilder();
        for (Map.Entry<Thread, StackTraceElement[]> each :
                Thread.getAllStackTraces().entrySet()) {
            text.append(each.getKey())
                    .append(' ')
                    .append(each.getKey().getState())
                    .append('\n');
            for (StackTraceElement frame : each.getValue())
                text.append("    at ").append(frame).append('\n');
        }
        return text.toString();
    }
}
