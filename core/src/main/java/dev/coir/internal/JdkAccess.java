package dev.coir.internal;

import java.util.ArrayList;
import java.util.List;

/**
 * The one door to what the JDK keeps to itself. Everything that needs an internal of the JDK asks here first, and gets
 * either the thing or a sentence that says which flags open it.
 */
public final class JdkAccess {
    private static final Module US = JdkAccess.class.getModule();
    private static final Module JAVA_BASE = Object.class.getModule();
    private static final List<String> MISSING_FLAGS = missingFlags();
    private static final boolean OPEN = MISSING_FLAGS.isEmpty();

    private JdkAccess() {}

    /**
     * Returns when the internals can be used; costs nothing then. To be called before a class that names one is loaded.
     *
     * @throws IllegalStateException with the cure, when the JVM was started without them
     */
    public static void ensureOpen() {
        if (!OPEN) throw new IllegalStateException(cure());
    }

    private static List<String> missingFlags() {
        String user = US.isNamed() ? US.getName() : "ALL-UNNAMED";
        List<String> flags = new ArrayList<>();
        if (!JAVA_BASE.isExported("jdk.internal.vm", US)) flags.add("--add-exports=java.base/jdk.internal.vm=" + user);
        if (!JAVA_BASE.isOpen("java.lang", US)) flags.add("--add-opens=java.base/java.lang=" + user);
        return List.copyOf(flags);
    }

    private static String cure() {
        return "Coir needs access to internals of the JDK that this JVM was not given. Add to the java command:\n    "
                + String.join(" ", MISSING_FLAGS)
                + "\nor put them into the JDK_JAVA_OPTIONS environment variable, or start the program with `coir run`.";
    }
}
