package dev.coir.agent;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives the poll to the boot loader, so that classes of every loader find it. Defined there directly: a jar appended to the
 * boot class path would have to be written at each start, and the JVM prints a warning and shares fewer classes with one.
 */
final class BootClasses {
    private static final List<String> NAMES = List.of("dev/coir/agent/boot/Poll", "dev/coir/agent/boot/Locks");

    private BootClasses() {}

    static void define(Instrumentation jvm) throws Throwable {
        Set<Module> us = Set.of(BootClasses.class.getModule());
        jvm.redefineModule(
                Object.class.getModule(), Set.of(), Map.of("jdk.internal.misc", us), Map.of(), Set.of(), Map.of());
        Class<?> unsafe = Class.forName("jdk.internal.misc.Unsafe");
        var lookup = MethodHandles.lookup();
        Object instance = lookup.findStatic(unsafe, "getUnsafe", MethodType.methodType(unsafe))
                .invoke();
        MethodHandle define = lookup.findVirtual(
                        unsafe,
                        "defineClass",
                        MethodType.methodType(
                                Class.class,
                                String.class,
                                byte[].class,
                                int.class,
                                int.class,
                                ClassLoader.class,
                                ProtectionDomain.class))
                .bindTo(instance);
        for (String name : NAMES) {
            byte[] bytes = read(name + ".class");
            Class<?> _ = (Class<?>) define.invoke(name, bytes, 0, bytes.length, bootLoader(), null);
        }
    }

    /** What stands for the boot loader. */
    private static @Nullable ClassLoader bootLoader() {
        return null;
    }

    private static byte[] read(String file) throws IOException {
        try (InputStream in = BootClasses.class.getResourceAsStream("/" + file)) {
            if (in == null) throw new IOException("the agent's jar has no " + file);
            return in.readAllBytes();
        }
    }
}
