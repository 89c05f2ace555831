package dev.coir.internal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles.Lookup;

/**
 * Puts a class of ours among those of the JDK, where the JVM heeds the marks by which it is told what a method does. There is one
 * such class, {@link ThreadRow}: it changes the current thread, which the JIT takes for constant in all code that is not marked.
 */
final class InsideJdk {
    /*
     * The class is compiled along with ours and renamed when it is loaded, into a package of the JDK; and it is hidden, so nobody
     * can name it, and every definition is a class of its own. In its new place it sees the JDK's classes and no others: not even
     * those that it lay beside.
     */
    private static final int UTF8 = 1;

    private InsideJdk() {}

    /**
     * Defines a copy of a class in the package {@code java.lang}.
     *
     * @param template a class of ours that names no other; it is not used itself
     * @param given what the copy finds as its class data
     * @return a lookup in the copy
     * @throws ReflectiveOperationException when this is another JDK
     */
    static Lookup define(Class<?> template, Object given) throws ReflectiveOperationException {
        byte[] there = renamed(
                bytesOf(template), template.getName().replace('.', '/'), "java/lang/Coir" + template.getSimpleName());
        return JdkAccess.trustedLookup(Thread.class).defineHiddenClassWithClassData(there, given, true);
    }

    private static byte[] bytesOf(Class<?> template) {
        String file = template.getSimpleName() + ".class";
        try (var in = template.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(
                        "Coir's own file " + file + " cannot be read from where " + template.getName()
                                + " was loaded: do not strip class files of package " + template.getPackageName()
                                + " from the jar, and let its class loader give them out as resources");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException("Coir's own file " + file + " cannot be read", e);
        }
    }

    /** The class with another name for itself: one text among its constants. */
    private static byte[] renamed(byte[] original, String from, String to) {
        var in = new DataInputStream(new ByteArrayInputStream(original));
        var result = new ByteArrayOutputStream(original.length + to.length());
        var out = new DataOutputStream(result);
        try {
            out.writeLong(in.readLong()); // what it is, and its version
            int constants = in.readUnsignedShort();
            out.writeShort(constants);
            for (int i = 1; i < constants; i++) {
                int kind = in.readUnsignedByte();
                out.writeByte(kind);
                if (kind == UTF8) {
                    String text = in.readUTF();
                    out.writeUTF(text.equals(from) ? to : text);
                } else {
                    out.write(in.readNBytes(sizeOf(kind)));
                    if (takesTwoPlaces(kind)) i++;
                }
            }
            in.transferTo(out);
        } catch (IOException e) {
            throw new IllegalStateException(e); // in memory
        }
        return result.toByteArray();
    }

    /** As the Java Virtual Machine Specification has it, 4.4. */
    private static int sizeOf(int constant) {
        return switch (constant) {
            case 3, 4, 9, 10, 11, 12, 17, 18 -> 4;
            case 5, 6 -> 8;
            case 7, 8, 16, 19, 20 -> 2;
            case 15 -> 3;
            default -> throw new IllegalStateException("constant: " + constant + " (expected: one of JVMS 4.4)");
        };
    }

    private static boolean takesTwoPlaces(int constant) {
        return constant == 5 || constant == 6;
    }
}
