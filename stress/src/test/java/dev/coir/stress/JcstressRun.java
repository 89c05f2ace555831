package dev.coir.stress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;

/** One run of jcstress in a child JVM, and its results, read back with jcstress' own reader. */
record JcstressRun(String name, Duration took, Collection<TestResult> results, String output) {
    /**
     * Runs the tests that match; all files go to {@code target/jcstress/<name>}.
     *
     * @param limit after which the child is killed and this fails with what it printed
     */
    @SafeVarargs
    static JcstressRun of(String name, String tests, Duration limit, List<String>... options)
            throws IOException, InterruptedException, ClassNotFoundException {
        Path directory = emptied(Path.of(System.getProperty("coir.target", "target"), "jcstress", name));
        Path output = directory.resolve("output.txt");
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", classPath(), "org.openjdk.jcstress.Main", "-t", tests));
        command.addAll(
                List.of("-af", "NONE", "-v", "-r", directory.resolve("report").toString()));
        for (List<String> each : options) command.addAll(each);

        long start = System.nanoTime();
        Process child = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!child.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("jcstress did not end within " + limit + ":\n" + Files.readString(output));
            }
        } finally {
            child.descendants().forEach(ProcessHandle::destroyForcibly);
            child.destroyForcibly().waitFor();
        }
        var took = Duration.ofNanos(System.nanoTime() - start);
        return new JcstressRun(name, took, read(directory), Files.readString(output));
    }

    Set<String> tests() {
        var names = new TreeSet<String>();
        for (TestResult each : results) names.add(each.getName());
        return names;
    }

    /** By test: what went wrong, be it a forbidden outcome, an exception or a crash. */
    Map<String, String> failures() {
        var failures = new TreeMap<String, String>();
        for (TestResult each : results) {
            if (each.status() == Status.NORMAL && each.grading().isPassed) continue;
            failures.put(
                    each.getName(),
                    each.getName() + " " + each.status() + " " + each.grading().failureMessages + " "
                            + each.getMessages());
        }
        return failures;
    }

    /** The tests that ran well and observed an outcome which they forbid. */
    Set<String> observedForbidden() {
        var names = new TreeSet<String>();
        for (TestResult each : results) {
            boolean observed = each.grading().gradingResults.values().stream()
                    .anyMatch(outcome -> outcome.expect == Expect.FORBIDDEN && outcome.count > 0);
            if (each.status() == Status.NORMAL && observed) names.add(each.getName());
        }
        return names;
    }

    String summary() {
        long samples = results.stream().mapToLong(TestResult::getTotalCount).sum();
        return "jcstress, %s: %d tests, %d runs, %,d samples, %d with failures, in %d s"
                .formatted(
                        name,
                        tests().size(),
                        results.size(),
                        samples,
                        failures().size(),
                        took.toSeconds());
    }

    private static String classPath() {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        if (!path.contains("jcstress-core")) {
            throw new AssertionError(
                    "class path: " + path + " (expected: one with jcstress; set useManifestOnlyJar=false)");
        }
        return path;
    }

    private static Collection<TestResult> read(Path directory) throws IOException, ClassNotFoundException {
        var collector = new InProcessCollector();
        try (var files = Files.newDirectoryStream(directory, "jcstress-results-*.bin.gz")) {
            for (Path file : files) {
                var reader = new DiskReadCollector(file.toString(), collector);
                reader.dump();
                reader.close();
            }
        }
        return collector.getTestResults();
    }

    private static Path emptied(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (var old = Files.walk(directory)) {
                old.sorted(Comparator.reverseOrder()).forEach(JcstressRun::delete);
            }
        }
        return Files.createDirectories(directory).toAbsolutePath();
    }

    private static void delete(Path path) {
        try {
            Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
