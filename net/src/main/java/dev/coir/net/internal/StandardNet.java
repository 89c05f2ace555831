package dev.coir.net.internal;

/** Chosen once. */
final class StandardNet {
    static final Net INSTANCE = choose();

    private StandardNet() {}

    private static Net choose() {
        return new NativeNet(new LinuxSys());
    }
}
