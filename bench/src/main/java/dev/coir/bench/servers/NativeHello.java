package dev.coir.bench.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Builds the hello servers that are no JVM, and their load; each program is in a folder that may be deleted afterwards. */
final class NativeHello {
    private NativeHello() {}

    /** Go's own net package. */
    static Path go(Path folder) throws IOException, InterruptedException {
        return build(folder, "hello.go", "go", "build");
    }

    /** The floor: epoll and nothing else. */
    static Path epoll(Path folder) throws IOException, InterruptedException {
        return buildC(folder, "hello.c");
    }

    /** The load generator that needs less of its processor than any server of its own. */
    static Path load(Path folder) throws IOException, InterruptedException {
        return buildC(folder, "load.c");
    }

    private static Path buildC(Path folder, String name) throws IOException, InterruptedException {
        return build(folder, name, "g++", "-x", "c", "-std=gnu17", "-O3");
    }

    private static Path build(Path folder, String name, String... compile) throws IOException, InterruptedException {
        Path source = folder.resolve(name);
        try (InputStream text = NativeHello.class.getResourceAsStream(name + ".txt")) {
            Files.write(source, Objects.requireNonNull(text, name).readAllBytes());
        }
        Path program = folder.resolve(name.replace('.', '-'));
        List<String> command = new ArrayList<>(List.of(compile));
        command.addAll(List.of("-o", program.toString(), source.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0) throw new IOException(compile[0] + " failed: " + said);
        return program;
    }
}
