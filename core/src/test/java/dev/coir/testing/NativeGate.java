package dev.coir.testing;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Blocks threads inside native code, where the JVM takes them for running, until it is opened: a pipe. */
public final class NativeGate implements AutoCloseable {
    private static final FunctionDescriptor TRANSFER = FunctionDescriptor.of(
            ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
    private static final MethodHandle PIPE = call("pipe", ValueLayout.ADDRESS);
    private static final MethodHandle CLOSE = call("close", ValueLayout.JAVA_INT);
    private static final MethodHandle READ = link("read", TRANSFER);
    private static final MethodHandle WRITE = link("write", TRANSFER);

    private final Arena arena = Arena.ofShared();
    private final int readEnd;
    private final int writeEnd;

    /** A closed gate. */
    public NativeGate() {
        MemorySegment ends = arena.allocate(ValueLayout.JAVA_INT, 2);
        try {
            if ((int) PIPE.invokeExact(ends) != 0) throw new AssertionError("no pipe");
        } catch (Throwable failure) {
            throw new AssertionError(failure);
        }
        readEnd = ends.getAtIndex(ValueLayout.JAVA_INT, 0);
        writeEnd = ends.getAtIndex(ValueLayout.JAVA_INT, 1);
    }

    private static MethodHandle call(String name, MemoryLayout argument) {
        return link(name, FunctionDescriptor.of(ValueLayout.JAVA_INT, argument));
    }

    @SuppressWarnings("restricted")
    private static MethodHandle link(String name, FunctionDescriptor type) {
        return Linker.nativeLinker()
                .downcallHandle(Linker.nativeLinker().defaultLookup().findOrThrow(name), type);
    }

    /** Blocks the calling thread until the gate lets one more pass. */
    public void await() {
        transfer(READ, readEnd, 1);
    }

    /** Lets so many pass. */
    public void letPass(int count) {
        transfer(WRITE, writeEnd, count);
    }

    private void transfer(MethodHandle how, int fd, int count) {
        try {
            long bytes = (long) how.invokeExact(fd, arena.allocate(count), (long) count);
            if (bytes != count) throw new AssertionError("bytes: " + bytes);
        } catch (Throwable failure) {
            throw new AssertionError(failure);
        }
    }

    /** Nobody waits any more. */
    @Override
    public void close() {
        try {
            int ignored = (int) CLOSE.invokeExact(readEnd) + (int) CLOSE.invokeExact(writeEnd);
        } catch (Throwable failure) {
            throw new AssertionError(failure);
        }
        arena.close();
    }
}
