package dev.coir.bench.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;

/**
 * A peer that is no JVM: its sources are compiled here and now, by the machine's own tools.
 *
 * @param contender who it is
 * @param sources their folder below the module
 * @param packages what brings the tools on Debian
 * @param version the command that tells the version, and whether there is one
 * @param compile the command that compiles; run in the folder of the sources, the program's path is put behind it
 */
record NativePeer(
        Contender contender, String sources, List<String> packages, List<String> version, List<String> compile) {
    static final List<NativePeer> ALL = List.of(
            new NativePeer(
                    Contender.GO,
                    "src/main/go",
                    List.of("golang-go"),
                    List.of("go", "version"),
                    List.of("go", "build", "-o")),
            new NativePeer(
                    Contender.BOOST,
                    "src/main/cpp",
                    List.of("g++", "libboost-fiber-dev"),
                    List.of("sh", "-c", "echo BOOST_LIB_VERSION | g++ -include boost/fiber/all.hpp -E -P -x c++ -"),
                    List.of(
                            "sh",
                            "-c",
                            "g++ -std=c++17 -O3 -DNDEBUG peer.cpp -lboost_fiber -lboost_context -lpthread -o \"$0\"")));

    /** A program that is not there, and how to get it. */
    static final class Missing extends Exception {
        private static final long serialVersionUID = 1L;

        Missing(String message) {
            super(message);
        }
    }

    static NativePeer of(Contender contender) {
        return ALL.stream()
                .filter(each -> each.contender == contender)
                .findFirst()
                .orElseThrow();
    }

    /** The version of its tools, in one line. */
    String describe() throws Missing {
        List<String> lines = run(version, Path.of("."));
        return lines.getLast()
                .replace("\"", "")
                .replace("_", ".")
                .replace("go version ", "")
                .strip();
    }

    /** Compiles it unless that was done since the sources last changed; the program. */
    Path build(Path module) throws Missing {
        Path folder = module.resolve(sources);
        Path program = module.resolve("target/peers").resolve(contender.id()).toAbsolutePath();
        try {
            if (isNewer(program, folder)) return program;
            Files.createDirectories(program.getParent());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run(Stream.concat(compile.stream(), Stream.of(program.toString())).toList(), folder);
        return program;
    }

    private static boolean isNewer(Path program, Path folder) throws IOException {
        if (!Files.exists(program)) return false;
        FileTime built = Files.getLastModifiedTime(program);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path each : files.toList()) {
                if (Files.getLastModifiedTime(each).compareTo(built) > 0) return false;
            }
        }
        return true;
    }

    private List<String> run(List<String> command, Path folder) throws Missing {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            List<String> lines =
                    process.inputReader(StandardCharsets.UTF_8).lines().toList();
            if (process.waitFor() == 0) return lines;
            throw missing("its tools do not work here: " + (lines.isEmpty() ? "" : lines.getFirst()));
        } catch (IOException e) {
            throw missing("its tools are not installed");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw missing("interrupted");
        }
    }

    private Missing missing(String why) {
        return new Missing(contender.label() + " skipped: " + why + ". apt-get install " + String.join(" ", packages)
                + ", or ./coir bench --install");
    }
}
