package dev.coir.bench.peers;

import java.io.Console;
import java.io.PrintStream;
import java.util.Locale;

/** Says what is being measured: one line that changes on a terminal, a line for each side and fork elsewhere. */
final class Progress implements Contest.Listener {
    private static final String TO_LINE_START_AND_CLEAR = "\r\033[K";

    private final PrintStream out;
    private final boolean terminal = isTerminal();
    private final int works;
    private final int forks;
    private final long start = System.nanoTime();
    private int done;

    Progress(PrintStream out, int works, int forks) {
        this.out = out;
        this.works = works;
        this.forks = forks;
    }

    @SuppressWarnings("SystemConsoleNull") // on JDK 25 it is null again when input or output is redirected
    private static boolean isTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    @Override
    public void doing(Work work, Side side, int fork, String what) {
        String line = head(work, side, fork);
        if (terminal) out.print(TO_LINE_START_AND_CLEAR + line + ": " + what);
        out.flush();
    }

    @Override
    public void found(Work work, Result result, int fork, double figure) {
        if (terminal) return;
        String unit = work.measures().getFirst().unit();
        out.println(head(work, result.side(), fork) + ": " + Report.figure(figure) + " " + unit);
    }

    private String head(Work work, Side side, int fork) {
        return String.format(
                Locale.ROOT,
                "[%d/%d, %.0f s] %s%s, %s",
                done + 1,
                works,
                (System.nanoTime() - start) / 1e9,
                work.id(),
                forks == 1 ? "" : ", fork " + fork + "/" + forks,
                side.label());
    }

    void ended() {
        done++;
    }

    /** The seconds that all of it took. */
    double over() {
        if (terminal) out.print(TO_LINE_START_AND_CLEAR);
        out.println();
        return (System.nanoTime() - start) / 1e9;
    }
}
