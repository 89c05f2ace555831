package dev.coir.bench.peers;

import dev.coir.bench.works.Child;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** How the process of a side is started, and which sides can be. */
final class Commands implements Contest.Starter {
    // Touched before the first round: a virtual machine gets its memory page by page from the host, and rounds that met
    // new
    // pages took up to ten times as long. All of a work's processes must fit into memory together.
    private static final List<String> SMALL_HEAP = List.of("-Xms384m", "-Xmx384m", "-XX:+AlwaysPreTouch");
    private static final List<String> BIG_HEAP = List.of("-Xms3g", "-Xmx3g"); // for a million parked fibers

    private final Map<Contender, Path> programs = new EnumMap<>(Contender.class);
    private final Map<Contender, String> versions = new EnumMap<>(Contender.class);
    private final List<String> missing = new ArrayList<>();

    /** Builds what is not Java. */
    Commands() {
        this(NativePeer.ALL);
    }

    Commands(List<NativePeer> natives) {
        for (NativePeer each : natives) {
            try {
                versions.put(each.contender(), each.describe());
                programs.put(each.contender(), each.build(module()));
            } catch (NativePeer.Missing e) {
                missing.add(Objects.requireNonNull(e.getMessage()));
            }
        }
    }

    /** The folder of this module. */
    static Path module() {
        try {
            var classes = Commands.class.getProtectionDomain().getCodeSource().getLocation();
            Path target = Objects.requireNonNull(Path.of(classes.toURI()).getParent());
            return Objects.requireNonNull(target.getParent());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean canRun(Contender contender) {
        return contender.isJvm() || programs.containsKey(contender);
    }

    /** A line for each peer that cannot take part, with the cure. */
    List<String> missing() {
        return missing;
    }

    /** Versions of what is not Java. */
    Map<Contender, String> versions() {
        return versions;
    }

    @Override
    public List<String> of(Side side, Work work, Work.Dose dose) {
        List<String> command = new ArrayList<>();
        Path program = programs.get(side.contender());
        if (program != null) {
            command.add(program.toString());
        } else {
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(flags(side, work.big() ? BIG_HEAP : SMALL_HEAP));
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), Child.class.getName()));
            command.add(side.contender().id());
        }
        command.addAll(List.of(Integer.toString(side.workers()), work.name(), Integer.toString(dose.size())));
        return command;
    }

    private static List<String> flags(Side side, List<String> heap) {
        List<String> flags = new ArrayList<>(heap);
        switch (side.contender()) {
            case COIR_VIRTUAL, COIR_LIGHT, COIR_TASK, FLOOR ->
                flags.addAll(List.of(
                        "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED",
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "--enable-native-access=ALL-UNNAMED"));
            case JDK, JOX -> flags.add("-Djdk.virtualThreadScheduler.parallelism=" + side.workers());
            case KOTLIN -> flags.add("-Dkotlinx.coroutines.scheduler.core.pool.size=" + side.workers());
            case GO, BOOST -> throw new IllegalArgumentException(side.id() + " is no JVM");
        }
        return flags;
    }
}
