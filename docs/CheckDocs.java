import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Holds the pages to what they say: every program prints what stands below it, every test they name exists, every link to a
 * file leads to one.
 *
 * <p>Usage, from the root of the clone: {@code ./coir run docs/CheckDocs.java}. A program is a {@code java} block whose first
 * line is {@code // Name.java}. In the expected text, {@code …} stands for anything on one line.
 */
final class CheckDocs {
    private static final Pattern PROGRAM =
            Pattern.compile("```java\\R// (\\w+\\.java)\\R(.*?)```(?:\\R```text\\R(.*?)```)?", Pattern.DOTALL);
    private static final Pattern TEST_NAME = Pattern.compile("`([A-Z]\\w*(?:Test|Stress|Contract))`");
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#]+)");
    private static final int SECONDS_PER_PROGRAM = 60;

    private static final List<String> failures = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        List<Path> pages = files(".md");
        Set<String> classes = files(".java").stream()
                .map(file -> file.getFileName().toString().replace(".java", ""))
                .collect(Collectors.toSet());
        int programs = 0;
        for (Path page : pages) {
            String text = Files.readString(page);
            checkTestNames(page, text, classes);
            checkLinks(page, text);
            programs += runPrograms(page, text);
        }
        failures.forEach(System.out::println);
        System.out.println(pages.size() + " pages, " + programs + " programs, " + failures.size() + " failures");
        System.exit(failures.isEmpty() && programs > 0 ? 0 : 1);
    }

    private static List<Path> files(String ending) throws IOException {
        try (var all = Files.walk(Path.of(""))) {
            return all.filter(file -> file.toString().endsWith(ending))
                    .filter(file -> !file.toString().matches("(.*/)?(target|\\.[^/]*)/.*"))
                    .sorted()
                    .toList();
        }
    }

    private static void checkTestNames(Path page, String text, Set<String> classes) {
        var missing = new TreeSet<String>();
        TEST_NAME.matcher(text).results().map(each -> each.group(1)).forEach(missing::add);
        missing.removeAll(classes);
        missing.remove("XTest"); // the patterns that the pages explain
        missing.remove("XStress");
        missing.remove("XLincheckTest");
        for (String name : missing) failures.add(page + ": no test is called " + name);
    }

    private static void checkLinks(Path page, String text) {
        Path folder = Path.of("").resolve(page).toAbsolutePath().getParent();
        LINK.matcher(text).results().map(each -> each.group(1)).distinct().forEach(link -> {
            if (!Files.exists(folder.resolve(link))) failures.add(page + ": the link " + link + " leads nowhere");
        });
    }

    private static int runPrograms(Path page, String text) throws Exception {
        Path folder = Files.createTempDirectory("coir-docs");
        var programs = PROGRAM.matcher(text).results().toList();
        for (var program : programs) {
            Path file = Files.writeString(folder.resolve(program.group(1)), program.group(2));
            String failure = run(file, folder.resolve(program.group(1) + ".txt"), program.group(3));
            System.out.println((failure == null ? "ok      " : "FAILED  ") + page + ": " + program.group(1));
            if (failure != null) failures.add(page + ": " + program.group(1) + " " + failure);
        }
        return programs.size();
    }

    /** What went wrong, or null. */
    private static String run(Path file, Path output, String expected) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            boolean needed = flag.startsWith("--add-") || flag.startsWith("--enable-") || flag.startsWith("-javaagent:");
            if (needed) command.add(flag);
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
        if (process.exitValue() != 0) return "ended with exit code " + process.exitValue() + ":\n" + printed;
        if (expected == null || matches(expected, printed)) return null;
        return "is to print:\n" + expected.indent(2) + "but prints:\n" + printed.indent(2);
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
