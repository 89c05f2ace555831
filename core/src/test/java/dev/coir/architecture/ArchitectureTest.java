package dev.coir.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.coir.coro.Coroutine;
import dev.coir.coro.planted.KnowsAnExecutor;
import dev.coir.executor.ManualExecutor;
import dev.coir.executor.planted.KnowsACoroutine;
import dev.coir.internal.planted.KnowsALock;
import dev.coir.sync.planted.BreaksIn;
import dev.coir.sync.planted.NamesTheJdksInternals;
import dev.coir.sync.planted.Reflects;
import dev.coir.sync.planted.UsesAForeignLibrary;
import dev.coir.testing.ChildJvm;
import java.lang.invoke.MethodHandles;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Imports point down. Each rule has a planted breach that it must find. */
class ArchitectureTest {
    /** What each package of core may import of Coir, besides itself. A package that is not here breaks a rule below. */
    private static final Map<String, List<String>> MAY_IMPORT = Map.of(
            "internal", List.of(),
            "coro", List.of("internal"),
            "executor", List.of("internal"),
            "fiber", List.of("internal", "coro", "executor"),
            "sync", List.of("internal", "coro", "executor", "fiber"),
            "channel", List.of("internal", "coro", "executor", "fiber", "sync", "scope", "parallel"),
            "scope", List.of("internal", "coro", "executor", "fiber", "sync", "channel", "parallel"),
            "parallel", List.of("internal", "coro", "executor", "fiber", "sync", "channel", "scope"));

    private static final List<String> LIBRARIES = List.of(
            "java..", "jdk.internal.vm..", "org.jspecify..", "com.google.errorprone.annotations..", "org.jctools..");

    private static final ArchRule ONLY_INTERNAL_NAMES_THE_JDKS_INTERNALS = noClasses()
            .that()
            .resideOutsideOfPackage("dev.coir.internal..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jdk.internal..", "sun..");

    private static final ArchRule ONLY_JDK_ACCESS_REFLECTS = noClasses()
            .that()
            .haveNameNotMatching("dev\\.coir\\.internal\\.JdkAccess(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.lang.reflect..")
            .orShould()
            .callMethod(MethodHandles.class, "privateLookupIn", Class.class, MethodHandles.Lookup.class);

    private static final ArchRule FEW_LIBRARIES =
            classes().should().onlyDependOnClassesThat().resideInAnyPackage(with(LIBRARIES, "dev.coir.."));

    private static final ArchRule NO_CYCLES =
            slices().matching("dev.coir.(*)..").should().beFreeOfCycles();

    private static String[] with(List<String> packages, String one) {
        var all = new ArrayList<>(packages);
        all.add(one);
        return all.toArray(String[]::new);
    }

    private static ArchRule imports(String layer) {
        var allowed = new ArrayList<>(LIBRARIES);
        allowed.add("dev.coir." + layer + "..");
        for (String lower : MAY_IMPORT.get(layer)) allowed.add("dev.coir." + lower + "..");
        return classes()
                .that()
                .resideInAPackage("dev.coir." + layer + "..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed.toArray(String[]::new))
                .allowEmptyShould(true); // a layer that has no class so far
    }

    private static final JavaClasses CORE = core();

    /** The built classes of core, without those of the tests. What they import is known by name, which is enough. */
    private static JavaClasses core() {
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
        var core = new ClassFileImporter().importPath(ChildJvm.place(Coroutine.class));
        assertTrue(core.contain(Coroutine.class));
        return core;
    }

    private static void assertFinds(ArchRule rule, Class<?> planted) {
        var result = rule.evaluate(new ClassFileImporter().importClasses(planted));
        assertTrue(result.hasViolation(), () -> planted + " should break: " + rule.getDescription());
    }

    @Test
    void everyPackageHasItsLayer() {
        var layers = MAY_IMPORT.keySet().stream()
                .map(layer -> "dev.coir." + layer + "..")
                .toArray(String[]::new);
        classes().should().resideInAnyPackage(layers).check(CORE);
    }

    @Test
    void lowerLayersDoNotImportHigherOnes() {
        for (String layer : MAY_IMPORT.keySet()) imports(layer).check(CORE);
        assertFinds(imports("coro"), KnowsAnExecutor.class);
        assertFinds(imports("executor"), KnowsACoroutine.class);
        assertFinds(imports("internal"), KnowsALock.class);
    }

    @Test
    void packagesFormNoCycles() {
        NO_CYCLES.check(CORE);
        var knot = new ClassFileImporter()
                .importClasses(KnowsAnExecutor.class, KnowsACoroutine.class, Coroutine.class, ManualExecutor.class);
        assertTrue(NO_CYCLES.evaluate(knot).hasViolation());
    }

    @Test
    void onlyTheInternalPackageNamesInternalsOfTheJdk() {
        ONLY_INTERNAL_NAMES_THE_JDKS_INTERNALS.check(CORE);
        assertFinds(ONLY_INTERNAL_NAMES_THE_JDKS_INTERNALS, NamesTheJdksInternals.class);
    }

    @Test
    void onlyJdkAccessReflects() {
        ONLY_JDK_ACCESS_REFLECTS.check(CORE);
        assertFinds(ONLY_JDK_ACCESS_REFLECTS, BreaksIn.class);
        assertFinds(ONLY_JDK_ACCESS_REFLECTS, Reflects.class);
    }

    @Test
    void coreStandsOnFewLibraries() {
        FEW_LIBRARIES.check(CORE);
        assertFinds(FEW_LIBRARIES, UsesAForeignLibrary.class);
    }

    @Test
    void internalPackagesAreExportedToModulesOfCoirAlone() {
        var descriptor = ModuleFinder.of(ChildJvm.place(Coroutine.class))
                .find("dev.coir.core")
                .orElseThrow()
                .descriptor();
        assertEquals(
                List.of(),
                descriptor.exports().stream()
                        .filter(each -> each.source().contains("internal"))
                        .filter(each -> each.targets().isEmpty() // to everybody
                                || !Set.of("dev.coir.net", "dev.coir.observe", "dev.coir.sim")
                                        .containsAll(each.targets()))
                        .map(ModuleDescriptor.Exports::source)
                        .toList());
    }
}
