package dev.coir.agent;

import dev.coir.agent.boot.Poll;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The agent's entry. {@code -javaagent:coir-agent.jar} replaces every other flag that Coir needs, and makes fibers
 * preemptible; in the manifest of an executable jar, {@code Launcher-Agent-Class} does the same.
 */
public final class CoirAgent {
    private CoirAgent() {}

    /**
     * For {@code -javaagent}: the JVM calls it before the program's main method.
     *
     * @param arguments what stands behind the jar's name and {@code =}
     * @param jvm the JVM's services
     */
    public static void premain(@Nullable String arguments, Instrumentation jvm) {
        AgentArguments parsed;
        try {
            parsed = AgentArguments.parse(arguments);
        } catch (IllegalArgumentException misuse) {
            System.err.println("coir-agent: " + misuse.getMessage());
            System.exit(2);
            return;
        }
        start(parsed, jvm);
    }

    /**
     * For {@code Launcher-Agent-Class}, and for a JVM that runs already. Classes that are loaded by then are woven as well.
     *
     * @param arguments as of {@link #premain}
     * @param jvm the JVM's services
     */
    public static void agentmain(@Nullable String arguments, Instrumentation jvm) {
        Weaver weaver = start(AgentArguments.parse(arguments), jvm);
        if (weaver != null) weaveLoaded(weaver, jvm);
    }

    private static @Nullable Weaver start(AgentArguments arguments, Instrumentation jvm) {
        Opening.open(jvm);
        if (!arguments.polls()) return null;
        try {
            BootClasses.define(jvm);
        } catch (Throwable e) {
            System.err.println(
                    "coir-agent: fibers cannot be preempted, for the agent could not give its poll to the boot"
                            + " loader: " + e + " (it is made for JDK 25)");
            return null;
        }
        Poll.weaves(Weaver::isOurs);
        Weaver weaver = new Weaver(arguments);
        jvm.addTransformer(weaver, true);
        return weaver;
    }

    private static void weaveLoaded(Weaver weaver, Instrumentation jvm) {
        List<Class<?>> loaded = new ArrayList<>();
        for (Class<?> each : jvm.getAllLoadedClasses()) {
            if (jvm.isModifiableClass(each) && !each.isHidden() && weaver.wants(each)) loaded.add(each);
        }
        for (Class<?> each : loaded) {
            try {
                jvm.retransformClasses(each);
            } catch (UnmodifiableClassException | RuntimeException | LinkageError e) {
                weaver.report(each.getName(), e);
            }
        }
    }
}
