package dev.coir.agent;

import java.lang.classfile.ClassFile;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Decides which classes are woven, and sees to it that one which cannot be is left as it is. */
final class Weaver implements ClassFileTransformer {
    /** Never woven: the JDK, Coir's own packages, and what runs tests and benchmarks rather than being run in fibers. */
    private static final List<String> NOT_OURS = List.of(
            "java.",
            "javax.",
            "jdk.",
            "sun.",
            "com.sun.",
            "org.jspecify.",
            "dev.coir.agent.",
            "dev.coir.coro.",
            "dev.coir.executor.",
            "dev.coir.fiber.",
            "dev.coir.sync.",
            "dev.coir.channel.",
            "dev.coir.scope.",
            "dev.coir.parallel.",
            "dev.coir.internal.",
            "dev.coir.net.",
            "dev.coir.sim.",
            "dev.coir.observe.",
            "org.junit.",
            "org.opentest4j.",
            "org.apiguardian.",
            "org.apache.maven.surefire.",
            "org.gradle.",
            "com.intellij.rt.",
            "org.openjdk.jmh.",
            "org.openjdk.jcstress.");

    private static final String POLL = "dev.coir.agent.boot.Poll";

    private final AgentArguments arguments;
    private final ClassFile classFile = ClassFile.of(
            ClassFile.StackMapsOption.DROP_STACK_MAPS, // MethodWeaver carries the old ones over
            ClassFile.ShortJumpsOption.FAIL_ON_SHORT_JUMPS); // longer ones would need frames that nobody makes
    private final Set<String> reported = ConcurrentHashMap.newKeySet();
    private final Set<ClassLoader> withoutPoll =
            Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));
    private final Set<ClassLoader> withPoll =
            Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

    Weaver(AgentArguments arguments) {
        this.arguments = arguments;
    }

    /** Whether a class is one of the application's. */
    static boolean isOurs(String name) {
        for (String prefix : NOT_OURS) if (name.startsWith(prefix)) return false;
        return !name.contains(".jmh_generated.");
    }

    boolean wants(Class<?> loaded) {
        return loaded.getClassLoader() != null
                && loaded.getClassLoader() != ClassLoader.getPlatformClassLoader()
                && !loaded.isArray()
                && isOurs(loaded.getName());
    }

    @Override
    public byte @Nullable [] transform(
            Module module,
            @Nullable ClassLoader loader,
            @Nullable String internalName,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] bytes) {
        if (loader == null || internalName == null || loader == ClassLoader.getPlatformClassLoader()) return null;
        String name = internalName.replace('/', '.');
        if (!isOurs(name)) return null;
        try {
            if (!findsPoll(loader)) return null;
            return weave(name, bytes);
        } catch (Throwable failure) { // whatever it is, the class can still be used as it came
            report(name, failure);
            return null;
        }
    }

    /** The class with polls and lock calls; null when it needs neither. */
    byte @Nullable [] weave(String name, byte[] bytes) {
        byte[] woven = ClassWeaver.weave(classFile, classFile.parse(bytes), arguments.wantsPolls(name));
        if (woven != null && arguments.verbose()) System.err.println("coir-agent: wove " + name);
        return woven;
    }

    /** A loader that hides the boot class path from its classes would make the first poll fail. */
    private boolean findsPoll(ClassLoader loader) {
        if (withPoll.contains(loader)) return true;
        if (withoutPoll.contains(loader)) return false;
        boolean found;
        try {
            found = Class.forName(POLL, false, loader).getClassLoader() == null;
        } catch (ClassNotFoundException | RuntimeException | LinkageError hidden) {
            found = false;
        }
        (found ? withPoll : withoutPoll).add(loader);
        if (!found) {
            dev.coir.agent.boot.Locks.unseen();
            System.err.println("coir-agent: the classes of " + loader + " are left as they are, so fibers cannot be"
                    + " preempted in them: it does not find " + POLL
                    + "; let it delegate dev.coir.agent.boot to its parent");
        }
        return found;
    }

    /** Says once of a class that it is left as it is. */
    void report(String name, Throwable failure) {
        dev.coir.agent.boot.Locks.unseen();
        if (!reported.add(name)) return;
        System.err.println(
                "coir-agent: " + name + " is left as it is, so fibers cannot be preempted in it: " + failure);
    }
}
