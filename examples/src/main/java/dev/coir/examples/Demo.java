package dev.coir.examples;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A tour of Coir in the terminal: prints what it does and what it measured, in about ten seconds. */
public final class Demo {
    private static final List<Section> SECTIONS =
            List.of(new CoroutineTour(), new GeneratorTour(), new StrandTour(), new SwitchCost());

    private Demo() {}

    /**
     * Runs the tour, or one section of it, or a server. Exits with 2 when there is no such thing.
     *
     * @param args nothing, {@code --list}, the name of a section, or the name of a server and its options
     * @throws InterruptedException when interrupted on the way
     */
    public static void main(String[] args) throws InterruptedException {
        System.exit(run(Screen.standard(), System.err, args));
    }

    static int run(Screen screen, PrintStream err, String... args) throws InterruptedException {
        if (args.length == 1 && args[0].equals("--list")) {
            for (Section section : SECTIONS) screen.say(String.format("%-12s %s", section.name(), section.title()));
            for (String server : ServerDemo.NAMES) screen.say(String.format("%-12s a server; Ctrl-C ends it", server));
            return 0;
        }
        if (args.length == 0) {
            tour(screen, SECTIONS);
            return 0;
        }
        if (ServerDemo.NAMES.contains(args[0])) return ServerDemo.run(screen, err, args);
        List<Section> named =
                SECTIONS.stream().filter(each -> each.name().equals(args[0])).toList();
        if (args.length > 1 || named.isEmpty()) {
            err.println("no section " + String.join(" ", args) + " (there are: " + names()
                    + "; without a name, all of them; servers: "
                    + String.join(", ", ServerDemo.NAMES) + ")");
            return 2;
        }
        tour(screen, named);
        return 0;
    }

    private static void tour(Screen screen, List<Section> sections) throws InterruptedException {
        long start = System.nanoTime();
        for (Section section : sections) {
            screen.title(section.title());
            section.run(screen);
            screen.gap();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        screen.note(String.format(
                Locale.ROOT, "That took %.1f s. The code is in examples/src/main/java/dev/coir/examples.", seconds));
    }

    private static String names() {
        return SECTIONS.stream().map(Section::name).collect(Collectors.joining(", "));
    }
}
