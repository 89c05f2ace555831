package dev.coir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The build's checks bite: a planted breach does not compile, the same code without it does. */
class BuildChecksTest {
    private static final String CHECK = "-Xep:GuardedBy:ERROR";

    @TempDir
    Path output;

    private List<String> errors(String source) {
        var text = new SimpleJavaFileObject(URI.create("string:///Account.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
        String classPath = System.getProperty("java.class.path");
        var found = new DiagnosticCollector<JavaFileObject>();
        List<String> options = List.of(
                "-d",
                output.toString(),
                "-cp",
                classPath,
                "-processorpath",
                classPath,
                "-XDcompilePolicy=simple",
                "--should-stop=ifError=FLOW",
                "-XDaddTypeAnnotationsToSymbol=true",
                "-Xplugin:ErrorProne -XepDisableAllChecks " + CHECK);
        ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, found, options, null, List.of(text))
                .call();
        return found.getDiagnostics().stream()
                .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                .map(each -> each.getMessage(Locale.ROOT))
                .toList();
    }

    private static String account(String deposit) {
        return """
                import com.google.errorprone.annotations.concurrent.GuardedBy;

                final class Account {
                    private final Object lock = new Object();

                    @GuardedBy("lock")
                    private long balance;

                    void deposit(long amount) {
                        %s
                    }
                }
                """.formatted(deposit);
    }

    @Test
    void aGuardedFieldUsedWithoutItsLockDoesNotCompile() {
        var errors = errors(account("balance += amount;"));
        assertEquals(1, errors.size(), errors::toString);
        assertTrue(errors.getFirst().contains("[GuardedBy]"), errors::toString);
        assertTrue(errors.getFirst().contains("lock"), errors::toString);
    }

    @Test
    void aGuardedFieldUsedUnderItsLockCompiles() {
        assertEquals(List.of(), errors(account("synchronized (lock) { balance += amount; }")));
    }

    @Test
    void theBuildTurnsThatCheckOn() throws Exception {
        Path module = Path.of(System.getProperty("basedir", ""));
        for (Path pom :
                List.of(module.resolve("pom.xml"), module.toAbsolutePath().resolveSibling("pom.xml"))) {
            var plugins = Files.readString(pom).lines().filter(line -> line.contains("-Xplugin:ErrorProne"));
            var without = plugins.filter(line -> !line.contains(CHECK)).toList();
            assertEquals(List.of(), without, pom::toString);
        }
    }
}
