package dev.coir.agent;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What stands behind {@code -javaagent:coir-agent.jar=}: {@code include=com.acme.**:org.shop.*,exclude=com.acme.gen.**}.
 *
 * @param include classes that get polls; empty for all
 * @param exclude classes that get none, even if included
 * @param polls false: only open the JDK, and weave nothing
 * @param verbose whether to name every class that is woven
 */
record AgentArguments(List<ClassPattern> include, List<ClassPattern> exclude, boolean polls, boolean verbose) {
    private static final String KEYS = "include, exclude, polls, verbose";

    /** @throws IllegalArgumentException with a sentence for the user */
    static AgentArguments parse(@Nullable String text) {
        List<ClassPattern> include = new ArrayList<>();
        List<ClassPattern> exclude = new ArrayList<>();
        boolean polls = true;
        boolean verbose = false;
        if (text != null && !text.isBlank()) {
            for (String argument : text.split(",", -1)) {
                int equals = argument.indexOf('=');
                String key = equals < 0 ? argument : argument.substring(0, equals);
                String value = equals < 0 ? "" : argument.substring(equals + 1);
                switch (key.strip()) {
                    case "include" -> include.addAll(patterns(key, value));
                    case "exclude" -> exclude.addAll(patterns(key, value));
                    case "polls" -> polls = bool(key, value);
                    case "verbose" -> verbose = bool(key, value);
                    default ->
                        throw new IllegalArgumentException("unknown argument '" + argument + "' (expected: key=value"
                                + " with one of " + KEYS + "; several are separated by commas)");
                }
            }
        }
        return new AgentArguments(List.copyOf(include), List.copyOf(exclude), polls, verbose);
    }

    private static List<ClassPattern> patterns(String key, String value) {
        List<ClassPattern> patterns = new ArrayList<>();
        for (String each : value.split(":", -1)) patterns.add(ClassPattern.parse(key, each.strip()));
        return patterns;
    }

    private static boolean bool(String key, String value) {
        return switch (value.strip()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(key + "='" + value + "' (expected: true or false)");
        };
    }

    boolean wantsPolls(String className) {
        for (ClassPattern each : exclude) if (each.matches(className)) return false;
        if (include.isEmpty()) return true;
        for (ClassPattern each : include) if (each.matches(className)) return true;
        return false;
    }
}
