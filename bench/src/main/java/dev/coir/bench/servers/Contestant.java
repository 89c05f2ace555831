package dev.coir.bench.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A server to be measured.
 *
 * @param label what the table calls it
 * @param command how to start it; the port is written as {@link #PORT}
 * @param variables of its environment
 * @param goal how many times its requests Coir's server should answer; NaN when there is none
 * @param isFloor whether it shows what the system itself takes; nobody would choose it
 */
record Contestant(String label, List<String> command, Map<String, String> variables, double goal, boolean isFloor) {
    static final String PORT = "{port}";

    Contestant(String label, List<String> command, Map<String, String> variables, double goal) {
        this(label, command, variables, goal, false);
    }

    /** A program that does what no server can do without, and nothing else. */
    static Contestant floor(String label, List<String> command) {
        return new Contestant(label, command, Map.of(), Double.NaN, true);
    }

    /** A program in a JVM like the others'. */
    static Contestant java(String label, double goal, List<String> flags, String mainClass, String... args) {
        var command = new ArrayList<String>();
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(List.of("-Xms512m", "-Xmx512m", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
        command.add("--sun-misc-unsafe-memory-access=allow"); // Netty
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
        command.addAll(List.of(args));
        return new Contestant(label, command, Map.of(), goal);
    }

    /** One of Coir's example servers, with one worker. */
    static Contestant coir(String label, String server, String kind) {
        return java(
                label,
                Double.NaN,
                List.of(
                        "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED",
                        "--add-opens=java.base/java.lang=ALL-UNNAMED"),
                "dev.coir.examples.Demo",
                server,
                "--kind",
                kind,
                "--workers",
                "1",
                "--port",
                PORT);
    }

    /** The label without the details. */
    String name() {
        int comma = label.indexOf(',');
        return comma < 0 ? label : label.substring(0, comma);
    }

    boolean hasGoal() {
        return !Double.isNaN(goal);
    }
}
