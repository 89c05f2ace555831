package dev.coir.bench;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/**
 * The command line.
 *
 * @param help whether only the usage is wanted
 * @param list whether only the names are wanted
 * @param quick whether to measure for a short time
 * @param only the benchmark to run, or null for all
 * @param jmh what stands behind {@code --}
 */
record Arguments(
        boolean help, boolean list, boolean quick, @Nullable String only, CommandLineOptions jmh) {
    static final String USAGE = """
            usage: bench [--quick] [--only NAME] [-- JMH arguments]
              --quick      all in under three minutes (otherwise about eleven)
              --only NAME  one benchmark; --list prints the names
              --           what follows goes to JMH, for example: -- -prof gc
                           -wi, -w, -i and -r change the iterations, -f the number of rounds""";

    /** @throws IllegalArgumentException with a sentence for the user */
    static Arguments parse(String... args) {
        boolean help = false;
        boolean list = false;
        boolean quick = false;
        String only = null;
        int i = 0;
        for (; i < args.length && !args[i].equals("--"); i++) {
            switch (args[i]) {
                case "--help", "-h" -> help = true;
                case "--list" -> list = true;
                case "--quick" -> quick = true;
                case "--only" -> {
                    if (++i == args.length)
                        throw new IllegalArgumentException("--only: no name (expected: one of --list)");
                    only = args[i];
                }
                default ->
                    throw new IllegalArgumentException(
                            "unknown argument: " + args[i] + " (JMH's own arguments stand behind --)");
            }
        }
        List<String> behind = Arrays.asList(args).subList(Math.min(i + 1, args.length), args.length);
        return new Arguments(help, list, quick, only, jmh(behind));
    }

    private static CommandLineOptions jmh(List<String> args) {
        for (String arg : args) {
            if (arg.equals("-rf") || arg.equals("-rff")) {
                throw new IllegalArgumentException(
                        arg + ": every round is a JMH run of its own, so its result file would hold the last one only;"
                                + " the table is the result");
            }
        }
        CommandLineOptions options;
        try {
            options = new CommandLineOptions(args.toArray(new String[0]));
        } catch (CommandLineOptionException e) {
            throw new IllegalArgumentException("JMH does not understand its arguments: " + e.getMessage(), e);
        }
        if (!options.getIncludes().isEmpty()) {
            throw new IllegalArgumentException("benchmark name behind --: " + options.getIncludes() + " (use --only)");
        }
        return options;
    }
}
