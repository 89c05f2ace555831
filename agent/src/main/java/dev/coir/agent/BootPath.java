package dev.coir.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Puts the poll on the boot class path. A jar of its own, written at each start: the agent's jar may be one with the whole
 * application, whose classes must not come from the boot loader.
 */
final class BootPath {
    private static final List<String> CLASSES =
            List.of("dev/coir/agent/boot/Poll.class", "dev/coir/agent/boot/Locks.class");

    private BootPath() {}

    static void append(Instrumentation jvm) throws IOException {
        Path jar = Files.createTempFile("coir-agent-boot-", ".jar");
        jar.toFile().deleteOnExit();
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(file)) {
            zip.setLevel(0);
            for (String name : CLASSES) {
                zip.putNextEntry(new ZipEntry(name));
                try (InputStream in = BootPath.class.getResourceAsStream("/" + name)) {
                    if (in == null) throw new IOException("the agent's jar has no " + name);
                    in.transferTo(zip);
                }
                zip.closeEntry();
            }
        }
        jvm.appendToBootstrapClassLoaderSearch(new JarFile(jar.toFile()));
    }
}
