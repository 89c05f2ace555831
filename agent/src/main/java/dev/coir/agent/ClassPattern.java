package dev.coir.agent;

import java.util.regex.Pattern;

/**
 * Which classes an argument means: {@code com.acme.**} those below, {@code com.acme.*} those of the package,
 * {@code com.acme.Main} that class. What stands inside a class belongs to it.
 */
record ClassPattern(String prefix, Reach reach) {
    enum Reach {
        BELOW,
        PACKAGE,
        CLASS
    }

    private static final Pattern NAME =
            Pattern.compile("[\\p{javaJavaIdentifierPart}]+(\\.[\\p{javaJavaIdentifierPart}]+)*");

    static ClassPattern parse(String key, String text) {
        Reach reach = text.endsWith(".**") ? Reach.BELOW : text.endsWith(".*") ? Reach.PACKAGE : Reach.CLASS;
        String name = switch (reach) {
            case BELOW -> text.substring(0, text.length() - 3);
            case PACKAGE -> text.substring(0, text.length() - 2);
            case CLASS -> text;
        };
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(key + "='" + text + "' (expected: com.acme.** for all below com.acme,"
                    + " com.acme.* for that package, com.acme.Main for a class; several are separated by colons)");
        }
        return new ClassPattern(reach == Reach.CLASS ? name : name + ".", reach);
    }

    boolean matches(String className) {
        return switch (reach) {
            case BELOW -> className.startsWith(prefix);
            case PACKAGE -> className.startsWith(prefix) && className.indexOf('.', prefix.length()) < 0;
            case CLASS ->
                className.startsWith(prefix)
                        && (className.length() == prefix.length() || className.charAt(prefix.length()) == '$');
        };
    }
}
