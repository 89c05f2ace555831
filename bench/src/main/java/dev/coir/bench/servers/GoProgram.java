package dev.coir.bench.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Builds the Go server. */
final class GoProgram {
    private GoProgram() {}

    /** The program, in a folder that may be deleted afterwards. */
    static Path build(Path folder) throws IOException, InterruptedException {
        Path source = folder.resolve("hello.go");
        try (InputStream text = GoProgram.class.getResourceAsStream("hello.go.txt")) {
            Files.write(source, Objects.requireNonNull(text, "hello.go.txt").readAllBytes());
        }
        Path program = folder.resolve("hello");
        Process process = new ProcessBuilder("go", "build", "-o", program.toString(), source.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0) throw new IOException("go build failed: " + said);
        return program;
    }
}
