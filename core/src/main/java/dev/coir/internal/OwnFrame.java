package dev.coir.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;

/** Makes calls in a frame that the JIT does not make a part of the caller's. */
public final class OwnFrame {
    /*
     * Rejected: a handle in a field that is not final, which the JIT cannot look through either. It takes two frames more, and four
     *     loads that wait for each other: a tenth of what a LIGHT fiber costs that runs straight through.
     */
    private OwnFrame() {}

    /**
     * Puts a frame of its own around a method.
     *
     * @param called takes one reference and gives one
     * @return does the same; of type (Object)Object, to be kept in a constant
     */
    public static MethodHandle around(MethodHandle called) {
        MethodType type = MethodType.genericMethodType(1);
        try {
            Lookup copy = InsideJdk.define(FrameApart.class, called.asType(type));
            return copy.findStatic(copy.lookupClass(), "call", type);
        } catch (ReflectiveOperationException e) {
            throw JdkAccess.otherJdk(e);
        }
    }
}
