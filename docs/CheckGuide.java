import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Runs every program of a page and compares what it prints with the text block below it.
 *
 * <p>Usage: {@code ./coir run docs/CheckGuide.java [page.md ...]}, by default {@code docs/guide.md README.md}. A program is a
 * {@code java} block whose first line is {@code // Name.java}. In the expected text, {@code …} stands for anything on one line.
 */
final class CheckGuide {
    private static final Pattern PROGRAM =
            Pattern.compile("```java\\R// (\\w+\\.java)\\R(.*?)```(?:\\R```text\\R(.*?)```)?", Pattern.DOTALL);
    private static final int SECONDS_PER_PROGRAM = 60;

    public static void main(String[] args) throws Exception {
        var pages = args.length > 0 ? List.of(args) : List.of("docs/guide.md", "README.md");
        Path folder = Files.createTempDirectory("coir-guide");
        int ran = 0;
        int failed = 0;
        for (String page : pages) {
            var programs = PROGRAM.matcher(Files.readString(Path.of(page)));
            while (programs.find()) {
                ran++;
                Path file = Files.writeString(folder.resolve(programs.group(1)), programs.group(2));
                Path output = folder.resolve(programs.group(1) + ".txt");
                String failure = run(file, output, programs.group(3));
                if (failure != null) failed++;
                System.out.println((failure == null ? "ok      " : "FAILED  ") + page + ": " + file.getFileName());
                if (failure != null) System.out.println(failure.indent(4));
            }
        }
        System.out.println(ran + " programs, " + failed + " failed");
        if (ran == 0) System.out.println("no program found in " + pages + " (expected: a java block that begins with // Name.java)");
        System.exit(failed == 0 && ran > 0 ? 0 : 1);
    }

    /** What went wrong, or null. */
    private static String run(Path file, Path output, String expected) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (flag.startsWith("--add-")) command.add(flag);
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), file.toString()));
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(SECONDS_PER_PROGRAM, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return "did not end within " + SECONDS_PER_PROGRAM + " s";
        }
        String printed = Files.readString(output);
        if (process.exitValue() != 0) return "exit code " + process.exitValue() + ":\n" + printed;
        if (expected == null || matches(expected, printed)) return null;
        return "expected:\n" + expected.indent(2) + "printed:\n" + printed.indent(2);
    }

    private static boolean matches(String expected, String printed) {
        var pattern = new StringBuilder();
        for (String part : expected.strip().split("…", -1)) {
            if (!pattern.isEmpty()) pattern.append(".*");
            pattern.append(Pattern.quote(part));
        }
        return printed.strip().matches(pattern.toString());
    }
}
