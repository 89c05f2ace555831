package dev.coir.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import org.junit.jupiter.api.Test;

class InsideJdkTest {
    private static String said(Lookup copy) throws Throwable {
        return (String) copy.findStatic(copy.lookupClass(), "say", MethodType.methodType(String.class, String.class))
                .invokeExact("it");
    }

    @Test
    void aCopyIsAClassOfTheJdk() throws Throwable {
        Lookup copy = InsideJdk.define(InsideTemplate.class, "given");
        assertEquals("java.lang", copy.lookupClass().getPackageName());
        assertEquals(Object.class.getModule(), copy.lookupClass().getModule());
        assertNull(copy.lookupClass().getClassLoader());
        assertTrue(copy.lookupClass().isHidden());
    }

    @Test
    void aCopyRunsWithAllItsConstantsAndWhatItWasGiven() throws Throwable {
        assertEquals(
                "it: given, 5000000000, 0.5, 3, 1.5, ä, called", said(InsideJdk.define(InsideTemplate.class, "given")));
    }

    @Test
    void everyCopyHasItsOwn() throws Throwable {
        Lookup one = InsideJdk.define(InsideTemplate.class, "one");
        Lookup other = InsideJdk.define(InsideTemplate.class, "other");
        assertNotSame(one.lookupClass(), other.lookupClass());
        assertTrue(said(one).startsWith("it: one,"));
        assertTrue(said(other).startsWith("it: other,"));
    }

    @Test
    void aJarWithoutTheFileIsNamed() throws Exception {
        byte[] bytes;
        try (InputStream in = InsideTemplate.class.getResourceAsStream("InsideTemplate.class")) {
            bytes = in.readAllBytes();
        }
        var silent = new ClassLoader(null) { // gives out no files
                    Class<?> template() {
                        return defineClass(InsideTemplate.class.getName(), bytes, 0, bytes.length);
                    }
                };
        var refusal = assertThrows(IllegalStateException.class, () -> InsideJdk.define(silent.template(), ""));
        assertTrue(refusal.getMessage().contains("InsideTemplate.class cannot be read"), refusal::getMessage);
        assertTrue(refusal.getMessage().contains("do not strip"), refusal::getMessage);
    }
}
