package dev.coir.bench;

import dev.coir.bench.agent.AgentCost;
import dev.coir.bench.micro.Micro;
import dev.coir.bench.monitor.Monitor;
import dev.coir.bench.peers.Peers;
import dev.coir.bench.servers.Servers;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Runs the comparison with peers, or the benchmarks of small parts. */
public final class Main {
    private static final Path DEFAULT_OUT = Path.of("results");

    /** What has a protocol of its own, and runs only when it is asked for by its name. */
    private static final List<String> OTHERS = List.of(Servers.NAME, AgentCost.NAME, Monitor.NAME);

    private Main() {}

    /**
     * Exits with 2 when the arguments are not understood and with 1 when something failed that should run. A missed goal is
     * printed, and no failure: the machine may be busy.
     *
     * @param args {@code [--quick] [--only NAME] ...}
     */
    public static void main(String[] args) {
        System.exit(run(System.out, args));
    }

    static int run(PrintStream out, String... args) {
        try {
            return run(out, Arguments.parse(args));
        } catch (IllegalArgumentException e) {
            out.println(e.getMessage());
            out.println(Arguments.USAGE);
            return 2;
        } catch (IOException e) {
            out.println("the results cannot be written, or a side cannot be started: " + e);
            return 1;
        }
    }

    private static int run(PrintStream out, Arguments arguments) throws IOException {
        if (arguments.help()) {
            out.println(Arguments.USAGE);
            return 0;
        }
        if (arguments.list()) {
            out.println("with peers:");
            Peers.names().forEach(each -> out.println("  " + each));
            out.println("small parts (--micro, or --only):");
            Micro.names().forEach(each -> out.println("  " + each));
            out.println("others (--only):");
            OTHERS.forEach(each -> out.println("  " + each));
            return 0;
        }
        String only = arguments.only();
        if (only != null && OTHERS.stream().anyMatch(only::equalsIgnoreCase)) return runOther(out, only, arguments);
        List<String> works = arguments.micro() ? List.of() : matching(Peers.names(), arguments);
        // The small parts run when they are asked for, by their name or as a whole.
        List<String> parts =
                arguments.micro() || arguments.only() != null ? matching(Micro.names(), arguments) : List.of();
        if (works.isEmpty() && parts.isEmpty())
            throw new IllegalArgumentException("--only: nothing has " + arguments.only() + " in its name; there are "
                    + String.join(", ", Peers.names()) + ", and small: " + String.join(", ", Micro.names())
                    + ", and others: " + String.join(", ", OTHERS));
        if (parts.isEmpty() && !arguments.jmh().isEmpty())
            throw new IllegalArgumentException("behind --: " + arguments.jmh() + " is for JMH, and nothing runs in JMH"
                    + " (use --micro, or --only with the name of a small part)");
        var jmh = Micro.options(arguments.jmh());

        int code = 0;
        Path folder = arguments.out() == null ? DEFAULT_OUT : arguments.out();
        if (!works.isEmpty()) code = Peers.run(out, works, arguments.quick(), arguments.forks(), folder);
        if (!parts.isEmpty()) code = Math.max(code, Micro.run(out, arguments.quick(), parts, jmh));
        return code;
    }

    private static int runOther(PrintStream out, String name, Arguments arguments) throws IOException {
        if (!arguments.jmh().isEmpty())
            throw new IllegalArgumentException(
                    "behind --: " + arguments.jmh() + " is for JMH, and " + name + " does not run in JMH");
        if (name.equalsIgnoreCase(AgentCost.NAME)) return AgentCost.run(out, arguments.quick(), arguments.forks());
        if (name.equalsIgnoreCase(Monitor.NAME)) return Monitor.run(out);
        return Servers.run(out, arguments.quick());
    }

    private static List<String> matching(List<String> names, Arguments arguments) {
        String only = arguments.only();
        return only == null ? names : matching(names, only);
    }

    /** What is called that; if nothing is, what has that in its name. */
    static List<String> matching(List<String> names, String only) {
        List<String> exactly = names.stream().filter(only::equalsIgnoreCase).toList();
        if (!exactly.isEmpty()) return exactly;
        String part = only.toLowerCase(Locale.ROOT);
        return names.stream()
                .filter(each -> each.toLowerCase(Locale.ROOT).contains(part))
                .toList();
    }
}
