package dev.coir.bench;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command line.
 *
 * @param help whether only the usage is wanted
 * @param list whether only the names are wanted
 * @param quick whether to measure for a short time
 * @param micro whether to run the small benchmarks in place of the comparison
 * @param only what to run, or null for all
 * @param forks processes of each side; 0 for the default
 * @param out where the results go, or null for the default
 * @param jmh what stands behind {@code --}
 */
record Arguments(
        boolean help,
        boolean list,
        boolean quick,
        boolean micro,
        @Nullable String only,
        int forks,
        @Nullable Path out,
        List<String> jmh) {
    static final String USAGE = """
            usage: bench [--quick] [--only NAME] [--forks N] [--out FOLDER] [--micro] [-- JMH arguments]
              Coir and its peers side by side: one table, and results as JSON, Markdown and SVG.
              --quick       all in under three minutes, fewer sides and smaller works (otherwise about half an hour)
              --only NAME   the work of that name, or all that have it in theirs; --list prints the names. Besides those:
                            servers: servers under load; AgentCost: what the agent costs programs that compute;
                            Monitor: a ticker beside fibers that block, or never wait
              --forks N     processes of each side (default: 3, quick: 1)
              --out FOLDER  where bench.json, bench.md and bench.svg go (default: results)
              --micro       the benchmarks of small parts instead (JMH)
              --            what follows goes to JMH, for example: --micro -- -prof gc
                            -wi, -w, -i and -r change the iterations, -f the number of rounds
              --install     (of ./coir bench) gets the peers that are not Java, on Debian""";

    /** @throws IllegalArgumentException with a sentence for the user */
    static Arguments parse(String... args) {
        boolean help = false;
        boolean list = false;
        boolean quick = false;
        boolean micro = false;
        String only = null;
        int forks = 0;
        Path out = null;
        int i = 0;
        for (; i < args.length && !args[i].equals("--"); i++) {
            switch (args[i]) {
                case "--help", "-h" -> help = true;
                case "--list" -> list = true;
                case "--quick" -> quick = true;
                case "--micro" -> micro = true;
                case "--only" -> only = value(args, ++i, "a name, see --list");
                case "--forks" -> forks = number(value(args, ++i, "a number"));
                case "--out" -> out = path(value(args, ++i, "a folder"));
                default ->
                    throw new IllegalArgumentException(
                            "unknown argument: " + args[i] + " (JMH's own arguments stand behind --)");
            }
        }
        List<String> behind = Arrays.asList(args).subList(Math.min(i + 1, args.length), args.length);
        return new Arguments(help, list, quick, micro, only, forks, out, behind);
    }

    private static String value(String[] args, int i, String expected) {
        if (i >= args.length || args[i].startsWith("--"))
            throw new IllegalArgumentException(args[i - 1] + ": nothing behind it (expected: " + expected + ")");
        return args[i];
    }

    private static int number(String text) {
        try {
            int number = Integer.parseInt(text);
            if (number > 0) return number;
        } catch (NumberFormatException e) {
            // said below
        }
        throw new IllegalArgumentException("--forks: " + text + " (expected: a number of at least 1)");
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("--out: " + e.getMessage(), e);
        }
    }
}
