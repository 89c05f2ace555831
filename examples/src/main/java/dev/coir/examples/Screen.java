package dev.coir.examples;

import java.io.Console;
import java.io.PrintStream;
import java.util.Locale;

/** Where the tour is printed. Plain ASCII; bold and colours only on a terminal, and never when NO_COLOR is set. */
final class Screen {
    private static final String TITLE = "\033[1;36m";
    private static final String OUTPUT = "\033[32m";
    private static final String QUIET = "\033[2m";
    private static final String RESET = "\033[0m";
    private static final int BAR = 32;

    private final PrintStream out;
    private final boolean colours;

    Screen(PrintStream out, boolean colours) {
        this.out = out;
        this.colours = colours;
    }

    /** The standard output, with colours if it is a terminal that wants them. */
    static Screen standard() {
        String noColour = System.getenv("NO_COLOR");
        boolean wanted = (noColour == null || noColour.isEmpty()) && !"dumb".equals(System.getenv("TERM"));
        return new Screen(System.out, wanted && isTerminal());
    }

    @SuppressWarnings("SystemConsoleNull") // on JDK 25 it is null again when input or output is redirected
    private static boolean isTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    /** A section begins. */
    void title(String text) {
        out.println(in(TITLE, "== " + text));
    }

    /** Says something to the reader. */
    void say(String text) {
        text.lines().forEach(line -> out.println("   " + line));
    }

    /** Something in small print. */
    void note(String text) {
        text.lines().forEach(line -> out.println("   " + in(QUIET, line)));
    }

    /** What the program being shown prints. */
    void show(String text) {
        text.lines().forEach(line -> out.println("     | " + in(OUTPUT, line)));
    }

    /** A measured time, with a bar as long as its part of {@code longest}. */
    void bar(String label, double nanos, double longest) {
        String bar = "#".repeat(Math.max(1, (int) Math.round(BAR * nanos / longest)));
        show(String.format(Locale.ROOT, "%-32s %6.0f ns  %s", label, nanos, bar));
    }

    void gap() {
        out.println();
    }

    /** A count as people read it. */
    static String count(long n) {
        return String.format(Locale.ROOT, "%,d", n);
    }

    private String in(String style, String text) {
        return colours ? style + text + RESET : text;
    }
}
