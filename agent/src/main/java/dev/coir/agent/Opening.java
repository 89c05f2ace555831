package dev.coir.agent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Opens what Coir needs of the JDK to the module that Coir's core is in: a named one, or the unnamed one of any loader. */
final class Opening {
    private static final String CORE = "dev.coir.core";
    private static final String DOOR = "dev/coir/internal/JdkAccess"; // the class of core that looks whether it is open
    private static final Module JAVA_BASE = Object.class.getModule();

    private Opening() {}

    static void open(Instrumentation jvm) {
        Set<Module> users = new HashSet<>();
        users.add(ClassLoader.getSystemClassLoader().getUnnamedModule());
        ModuleLayer.boot().findModule(CORE).ifPresent(users::add);
        for (Module user : users) open(jvm, user);
        jvm.addTransformer(new ForOtherLoaders(jvm));
    }

    static void open(Instrumentation jvm, Module user) {
        Set<Module> to = Set.of(user);
        jvm.redefineModule(
                JAVA_BASE, Set.of(), Map.of("jdk.internal.vm", to), Map.of("java.lang", to), Set.of(), Map.of());
    }

    /** Core may be loaded by a loader of the application's own; its module is known when its first class comes. */
    private record ForOtherLoaders(Instrumentation jvm) implements ClassFileTransformer {
        @Override
        public byte @Nullable [] transform(
                Module module,
                @Nullable ClassLoader loader,
                @Nullable String name,
                @Nullable Class<?> redefined,
                @Nullable ProtectionDomain domain,
                byte[] bytes) {
            if (DOOR.equals(name) && !JAVA_BASE.isOpen("java.lang", module)) open(jvm, module);
            return null;
        }
    }
}
