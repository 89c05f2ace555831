package dev.coir.net.internal;

/** Chosen once. */
final class StandardNet {
    static final Net INSTANCE = choose(System.getProperty("coir.net", "auto"), Linux.isHere());

    private StandardNet() {}

    static Net choose(String wish, boolean isLinux) {
        return switch (wish) {
            case "auto" -> isLinux ? nativeNet() : new NioNet();
            case "epoll" -> nativeNet();
            case "selector" -> new NioNet();
            default -> throw new IllegalArgumentException("coir.net: " + wish + " (expected: auto, epoll or selector)");
        };
    }

    private static Net nativeNet() {
        boolean believes =
                !System.getProperty("coir.net.believeShortReads", "true").equals("false");
        return new NativeNet(new LinuxSys(), believes, System.getProperty("coir.files", "auto"));
    }
}
