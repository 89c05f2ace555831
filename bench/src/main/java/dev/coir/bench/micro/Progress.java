package dev.coir.bench.micro;

import dev.coir.bench.micro.Comparison.Work;
import dev.coir.bench.peers.Samples;
import java.io.Console;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.results.Result;

/** Says what is being measured: one line that changes on a terminal, a line per run elsewhere. */
final class Progress {
    private static final String TO_LINE_START_AND_CLEAR = "\r\033[K";

    private final PrintStream out;
    private final boolean terminal;
    private final int runs;
    private int run;
    private String line = "";

    Progress(PrintStream out, int runs) {
        this.out = out;
        this.terminal = isTerminal();
        this.runs = runs;
    }

    @SuppressWarnings("SystemConsoleNull") // on JDK 25 it is null again when input or output is redirected
    private static boolean isTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    void starting(Comparison comparison, Work work, int round, int rounds) {
        run++;
        line = String.format(
                Locale.ROOT, "[%d/%d] %s, round %d/%d: %s", run, runs, comparison.name(), round, rounds, work.label());
        if (terminal) out.print(TO_LINE_START_AND_CLEAR + line);
        out.flush();
    }

    void ended(List<Double> iterations) {
        if (!terminal) out.println(line + String.format(Locale.ROOT, ": %.1f ns", Samples.quantile(iterations, 0.5)));
    }

    void profiled(Result<?> result) {
        if (terminal) out.print(TO_LINE_START_AND_CLEAR);
        out.println("    " + result.getLabel() + ": " + result);
    }

    void over() {
        if (terminal) out.print(TO_LINE_START_AND_CLEAR);
        out.println();
    }
}
