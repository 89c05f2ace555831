package dev.coir.internal;

import java.util.function.Supplier;
import java.util.stream.Stream;
import jdk.internal.vm.ThreadContainer;
import jdk.internal.vm.ThreadContainers;

/**
 * Virtual threads of one scheduler, as the JDK's thread dumps show them: under the scheduler's name. The JDK keeps every
 * thread it starts in one concurrent set, which a million short ones pay for dearly; here the scheduler itself says which it
 * knows.
 */
public final class ShownThreads extends ThreadContainer {
    private final String name;
    private final Supplier<Stream<Thread>> known;
    private final Object key;

    /**
     * Shows threads from now on.
     *
     * @param name under which name
     * @param known the threads there are when asked
     */
    public ShownThreads(String name, Supplier<Stream<Thread>> known) {
        super(true);
        this.name = name;
        this.known = known;
        this.key = ThreadContainers.registerContainer(this);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return name;
    }

    @Override
    public Stream<Thread> threads() {
        return known.get();
    }

    /** Shows them no longer. */
    public void hide() {
        ThreadContainers.deregisterContainer(key);
    }
}
