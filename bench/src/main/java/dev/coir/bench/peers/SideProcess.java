package dev.coir.bench.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A process that does one work, a round whenever it is told to, and waits without using a processor in between. The
 * protocol is in {@code dev.coir.bench.works.Child}.
 */
final class SideProcess implements AutoCloseable {
    /** What became of a side that did not do its work. */
    static final class SideFailed extends Exception {
        private static final long serialVersionUID = 1L;

        SideFailed(String message) {
            super(message);
        }
    }

    private static final long ANSWER_SECONDS = 180;
    private static final int SHOWN_ERROR_CHARS = 600;

    private final Process process;
    private final Path errors;
    private final PrintStream to;
    private final BufferedReader from;

    SideProcess(List<String> command, Path errors) throws IOException {
        this.errors = errors;
        process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
        to = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        from = process.inputReader(StandardCharsets.UTF_8);
    }

    void awaitReady() throws SideFailed {
        expect("ready");
    }

    /** How many rounds it took. */
    int warm(int millis, int ops) throws SideFailed {
        to.println("warm " + millis + " " + ops);
        return Integer.parseInt(expect("warmed"));
    }

    double[] round(int ops) throws SideFailed {
        to.println("round " + ops);
        return Arrays.stream(expect("figures").split(" ", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    double bytesPerOp(int ops) throws SideFailed {
        to.println("bytes " + ops);
        return Double.parseDouble(expect("bytes"));
    }

    /** Waits for an answer that begins with {@code word}; the rest of it. */
    private String expect(String word) throws SideFailed {
        String line;
        var limit = CompletableFuture.delayedExecutor(ANSWER_SECONDS, TimeUnit.SECONDS);
        var watchdog = CompletableFuture.runAsync(process::destroyForcibly, limit);
        try {
            line = from.readLine();
        } catch (IOException e) {
            line = null;
        }
        boolean inTime = watchdog.cancel(false);
        if (line != null && (line.equals(word) || line.startsWith(word + " ")))
            return line.substring(Math.min(word.length() + 1, line.length()));
        if (line != null) throw new SideFailed("answered " + line + " (expected: " + word + ")");
        throw new SideFailed(
                inTime ? "ended: " + lastWords() : "gave no answer in " + ANSWER_SECONDS + " seconds: " + lastWords());
    }

    private String lastWords() {
        try {
            String all = Files.readString(errors).strip();
            return all.isEmpty() ? "it said nothing" : all.substring(0, Math.min(SHOWN_ERROR_CHARS, all.length()));
        } catch (IOException e) {
            return "what it said is lost: " + e.getMessage();
        }
    }

    @Override
    public void close() {
        to.close();
        try {
            if (!process.waitFor(2, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
