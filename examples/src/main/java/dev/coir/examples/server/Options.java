package dev.coir.examples.server;

import dev.coir.fiber.Fiber;
import java.net.InetSocketAddress;
import java.util.Locale;

/**
 * What the command line says of a server.
 *
 * @param host where to listen
 * @param port where to listen; 0: any port that is free
 * @param workers how many threads serve
 * @param kind of which kind the fibers are
 */
public record Options(String host, int port, int workers, Fiber.Kind kind) {
    public static final String USAGE = """
              --port N               where to listen; 0 for any free port
              --host ADDRESS         where to listen (127.0.0.1: this machine only)
              --workers N            how many threads serve (one for each processor)
              --kind light|virtual   of which kind the fibers are (light)""";

    /** On this machine only, with a thread for each processor, and light fibers. */
    public static Options at(int port) {
        return new Options("127.0.0.1", port, Runtime.getRuntime().availableProcessors(), Fiber.Kind.LIGHT);
    }

    /**
     * These options, with what some arguments say otherwise.
     *
     * @throws IllegalArgumentException with a sentence for the user
     */
    public Options with(String... args) {
        Options options = this;
        for (int i = 0; i < args.length; i += 2) {
            if (i + 1 == args.length)
                throw new IllegalArgumentException(args[i] + ": no value (expected: one behind it)");
            options = options.with(args[i], args[i + 1]);
        }
        return options;
    }

    private Options with(String name, String value) {
        return switch (name) {
            case "--host" -> new Options(value, port, workers, kind);
            case "--port" -> new Options(host, number(name, value, 0, 65_535), workers, kind);
            case "--workers" -> new Options(host, port, number(name, value, 1, 1024), kind);
            case "--kind" -> new Options(host, port, workers, kind(value));
            default ->
                throw new IllegalArgumentException(
                        "unknown option: " + name + " (expected: --port, --host, --workers or --kind)");
        };
    }

    /** The number that an option was given. */
    public static int number(String name, String value, int least, int most) {
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) return number;
        } catch (NumberFormatException e) {
            // said below
        }
        throw new IllegalArgumentException(name + ": " + value + " (expected: " + least + " to " + most + ")");
    }

    private static Fiber.Kind kind(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "light" -> Fiber.Kind.LIGHT;
            case "virtual" -> Fiber.Kind.VIRTUAL;
            default -> throw new IllegalArgumentException("--kind: " + value + " (expected: light or virtual)");
        };
    }

    InetSocketAddress address() {
        return new InetSocketAddress(host, port);
    }

    /** As people read it: "2 workers, light fibers". */
    public String summary() {
        return workers + (workers == 1 ? " worker, " : " workers, ")
                + kind.name().toLowerCase(Locale.ROOT) + " fibers";
    }
}
