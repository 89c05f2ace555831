package dev.coir.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.classfile.ClassFile;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Thousands of classes that nobody wrote for this test pass the verifier after weaving. */
class LibraryWeavingTest {
    private final Weaver weaver = new Weaver(AgentArguments.parse(null));
    private final List<String> wrong = new ArrayList<>();
    private int woven;

    private void weave(Path file) {
        try {
            byte[] bytes = weaver.weave(file.toString(), Files.readAllBytes(file));
            if (bytes == null) return;
            woven++;
            var errors = ClassFile.of().verify(bytes);
            if (!errors.isEmpty() && !isMissing(errors.getFirst())) wrong.add(file + ": " + errors.getFirst());
        } catch (Exception e) {
            wrong.add(file + ": " + e);
        }
    }

    /** An optional dependency that is not here: this verifier wants to see it, the JVM's would not. */
    private static boolean isMissing(VerifyError error) {
        return error.getMessage().contains("Could not resolve class");
    }

    private void weaveAll(Path folder) throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(each -> each.toString().endsWith(".class")
                            && !each.toString().endsWith("-info.class"))
                    .forEach(this::weave);
        }
    }

    @Test
    void classesOfTheJdkVerify() throws Exception {
        FileSystem runtime = FileSystems.getFileSystem(URI.create("jrt:/"));
        weaveAll(runtime.getPath("modules/java.base/java/util"));
        weaveAll(runtime.getPath("modules/java.base/java/text"));
        weaveAll(runtime.getPath("modules/java.base/java/math"));
        weaveAll(runtime.getPath("modules/java.base/sun/security/provider"));
        assertEquals(List.of(), wrong);
        assertTrue(woven > 800, "woven: " + woven);
    }

    /** Old compilers and other languages write other code: what stands on the test class path was not all made by javac 25. */
    @Test
    void classesOfTheClassPathVerifyAndLink() throws Exception {
        for (String entry : System.getProperty("java.class.path").split(java.io.File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (!entry.endsWith(".jar") || !Files.exists(path)) continue;
            try (FileSystem jar = FileSystems.newFileSystem(path)) {
                weaveAll(jar.getPath("/"));
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(woven > 300, "woven: " + woven);
    }

    /** The JVM's own verifier, which is the one that counts. */
    @Test
    void wovenClassesLinkInTheJvm() throws Exception {
        var loader = new WovenLoader("org.junit.", null);
        int linked = 0;
        for (String entry : System.getProperty("java.class.path").split(java.io.File.pathSeparator, -1)) {
            if (!entry.contains("junit") || !entry.endsWith(".jar")) continue;
            try (FileSystem jar = FileSystems.newFileSystem(Path.of(entry));
                    Stream<Path> files = Files.walk(jar.getPath("/"))) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".class")).toList()) {
                    String name = file.toString().substring(1).replace('/', '.').replace(".class", "");
                    if (name.endsWith("-info")) continue;
                    try {
                        Method[] _ = loader.loadClass(name).getDeclaredMethods(); // asking links it
                        linked++;
                    } catch (NoClassDefFoundError optional) { // a dependency that is not here
                        assertTrue(!optional.getMessage().contains("dev/coir"), optional::toString);
                    }
                }
            }
        }
        assertTrue(linked > 500, "linked: " + linked);
    }
}
