package dev.coir.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Has constants of most kinds, and names no class but the JDK's. */
final class InsideTemplate {
    private static final Object GIVEN;
    private static final long LONG = Long.parseLong("5") * 1_000_000_000L;
    private static final double DOUBLE = Math.abs(-0.5);

    static {
        try {
            GIVEN = MethodHandles.classData(MethodHandles.lookup(), "_", Object.class);
        } catch (IllegalAccessException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private InsideTemplate() {}

    static String say(String what) throws Throwable {
        int three = Math.abs(-3);
        float more = Math.abs(-1.5f);
        String called = (String) MethodHandles.lookup()
                .findStatic(MethodHandles.lookup().lookupClass(), "called", MethodType.methodType(String.class))
                .invokeExact();
        return String.join(
                ", ", what + ": " + GIVEN, LONG + 0L + "", DOUBLE + 0.0 + "", three + "", more + "", "ä", called);
    }

    @SuppressWarnings("UnusedMethod") // found by its name
    private static String called() {
        return "called";
    }
}
