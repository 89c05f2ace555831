package dev.coir.sync.planted;

import java.lang.reflect.Field;

/** A breach for ArchitectureTest to find: only JdkAccess reflects. */
public final class Reflects {
    /**
     * Reflects.
     *
     * @return a field of Thread
     * @throws ReflectiveOperationException when refused
     */
    public Field reflect() throws ReflectiveOperationException {
        return Thread.class.getDeclaredField("tid");
    }
}
