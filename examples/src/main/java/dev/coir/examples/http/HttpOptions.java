package dev.coir.examples.http;

import dev.coir.examples.server.Options;
import java.util.ArrayList;
import java.util.List;

/**
 * What the command line says of the hello server.
 *
 * @param server what it says of any server
 * @param idleSeconds how long a client may say nothing, or take for one request; 0: as long as it likes
 */
public record HttpOptions(Options server, int idleSeconds) {
    public static final String USAGE = """
              --idle-seconds N       http: how long a client may be silent; 0 for ever (60)""";

    private static final String IDLE = "--idle-seconds";

    /** At a port of this machine, with a minute for each client. */
    public static HttpOptions at(int port) {
        return new HttpOptions(Options.at(port), 60);
    }

    /**
     * These options, with what some arguments say otherwise.
     *
     * @throws IllegalArgumentException with a sentence for the user
     */
    public HttpOptions with(String... args) {
        List<String> others = new ArrayList<>();
        int seconds = idleSeconds;
        for (int i = 0; i < args.length; i += 2) {
            boolean hasValue = i + 1 < args.length;
            if (hasValue && args[i].equals(IDLE)) {
                seconds = Options.number(IDLE, args[i + 1], 0, 86_400);
            } else {
                others.add(args[i]);
                if (hasValue) others.add(args[i + 1]);
            }
        }
        return new HttpOptions(server.with(others.toArray(String[]::new)), seconds);
    }
}
