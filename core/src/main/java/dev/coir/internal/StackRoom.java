package dev.coir.internal;

/**
 * Makes sure that what must not stop in the middle has the stack it needs. Where a StackOverflowError would strike while a guard
 * is held, or after something was changed and before others were told, it strikes here instead: nothing has been changed yet,
 * and only who called too deep hears of it.
 */
public final class StackRoom {
    /*
     * The JVM looks for the end of the stack where a method begins, and nowhere else. So these methods have large frames: in the
     * interpreter that is where the stack is touched. Compiled and inlined they take no room and almost no time; but compiled
     * code must be able to go on in the interpreter at any place that has a way out to it, and looks at its beginning for
     * the room of all frames that it might need there. The comparison is such a place, for all of them. C1 inlines no method that
     * needs so much, and its frames are small: so each has all of its room itself, and none by calling another.
     *
     * O1. Whoever has ensured room at some depth has it there until it returns, for calls that it makes one after the other. One that
     *     waits may be put back some KiB deeper; ensureMore asks for that as well.
     * O2. Who takes asks for more than who gives back, and who calls others for more than they do. So what was begun at some
     *     depth can be ended there. Who stands in a line, where it may be given something, has asked for more than who leaves its stack;
     *     but for channels, where who cannot wait takes its place back (C5 of Core): it is asked too often there.
     * O3. What wakes others asks for nothing, not even on a way that it does not take: compiled code asks at its beginning, for
     *     all ways. The same holds between taking something out of a queue and running it. So the room for a start is ensured before
     *     VirtualFiber.execute, which starts and wakes; what is not ours, executors and callbacks, is called Apart; and what is
     *     public and asks has a twin that does not, for those who are in the midst of something (cancelInside, lockInside).
     * O4. A stack that was saved is put back only where there is room for it: HotSpot (JDK 25, x86-64) looks for that itself, but
     *     throws its StackOverflowError to a place that is none, and the process ends. So who leaves a stack asks before. It
     *     will be put back at about the same depth: below it lie frames of a worker, interpreted or not (in one dump they took 7.6 KiB),
     *     and the JVM reckons with 8 bytes more for each interpreted frame (at most some 400 where a stack ends: it saves them by a
     *     recursion of its own, which ends in a proper StackOverflowError). Who enters a stack at any depth asks for its size.
     * All guarded by StackEndTest and HalfDoneAtStackEndTest. What the JVM does when code runs for the first time, linking and initializing, needs more
     *     room than this, and is not covered.
     *
     * Rejected: calling deep down and coming back (a thousand calls, as StackedWaits does where it may take its time); freeing the
     *     guard where an error is caught (the guarded state may be half changed, and others wait for ever for what they were
     *     not told); the JDK's own reserved pages, which only its own classes may use.
     */
    private static boolean never; // nobody sets it; not final, for the compiler must not know

    private static final long[] VALUES = new long[125]; // nobody writes them
    private static final int REACH = 3000;

    private StackRoom() {}

    /**
     * About 8 KiB: for what is done while a guard is held, and for waking others afterwards. To be called first.
     *
     * @throws StackOverflowError when the stack has no such room
     */
    @SuppressWarnings("UnusedVariable") // they are the room
    public static void ensure() {
        // spotless:off: one below the other they would fill many pages
        long a00, a01, a02, a03, a04, a05, a06, a07, a08, a09, a0a, a0b, a0c, a0d, a0e, a0f, a0g, a0h, a0i, a0j, a0k,
            a0l, a0m, a0n, a0o, a0p, a0q, a0r, a0s, a0t, a0u, a0v, a0w, a0x, a0y, a0z, a10, a11, a12, a13, a14, a15,
            a16, a17, a18, a19, a1a, a1b, a1c, a1d, a1e, a1f, a1g, a1h, a1i, a1j, a1k, a1l, a1m, a1n, a1o, a1p, a1q,
            a1r, a1s, a1t, a1u, a1v, a1w, a1x, a1y, a1z, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a2a, a2b,
            a2c, a2d, a2e, a2f, a2g, a2h, a2i, a2j, a2k, a2l, a2m, a2n, a2o, a2p, a2q, a2r, a2s, a2t, a2u, a2v, a2w,
            a2x, a2y, a2z, a30, a31, a32, a33, a34, a35, a36, a37, a38, a39, a3a, a3b, a3c, a3d, a3e, a3f, a3g, a3h,
            a3i, a3j, a3k, a3l, a3m, a3n, a3o, a3p, a3q, a3r, a3s, a3t, a3u, a3v, a3w, a3x, a3y, a3z, a40, a41, a42,
            a43, a44, a45, a46, a47, a48, a49, a4a, a4b, a4c, a4d, a4e, a4f, a4g, a4h, a4i, a4j, a4k, a4l, a4m, a4n,
            a4o, a4p, a4q, a4r, a4s, a4t, a4u, a4v, a4w, a4x, a4y, a4z, a50, a51, a52, a53, a54, a55, a56, a57, a58,
            a59, a5a, a5b, a5c, a5d, a5e, a5f, a5g, a5h, a5i, a5j, a5k, a5l, a5m, a5n, a5o, a5p, a5q, a5r, a5s, a5t,
            a5u, a5v, a5w, a5x, a5y, a5z, a60, a61, a62, a63, a64, a65, a66, a67, a68, a69, a6a, a6b, a6c, a6d, a6e,
            a6f, a6g, a6h, a6i, a6j, a6k, a6l, a6m, a6n, a6o, a6p, a6q, a6r, a6s, a6t, a6u, a6v, a6w, a6x, a6y, a6z,
            a70, a71, a72, a73, a74, a75, a76, a77, a78, a79, a7a, a7b, a7c, a7d, a7e, a7f, a7g, a7h, a7i, a7j, a7k,
            a7l, a7m, a7n, a7o, a7p, a7q, a7r, a7s, a7t, a7u, a7v, a7w, a7x, a7y, a7z, a80, a81, a82, a83, a84, a85,
            a86, a87, a88, a89, a8a, a8b, a8c, a8d, a8e, a8f, a8g, a8h, a8i, a8j, a8k, a8l, a8m, a8n, a8o, a8p, a8q,
            a8r, a8s, a8t, a8u, a8v, a8w, a8x, a8y, a8z, a90, a91, a92, a93, a94, a95, a96, a97, a98, a99, a9a, a9b,
            a9c, a9d, a9e, a9f, a9g, a9h, a9i, a9j, a9k, a9l, a9m, a9n, a9o, a9p, a9q, a9r, a9s, a9t, a9u, a9v, a9w,
            a9x, a9y, a9z, b00, b01, b02, b03, b04, b05, b06, b07, b08, b09, b0a, b0b, b0c, b0d, b0e, b0f, b0g, b0h,
            b0i, b0j, b0k, b0l, b0m, b0n, b0o, b0p, b0q, b0r, b0s, b0t, b0u, b0v, b0w, b0x, b0y, b0z, b10, b11, b12,
            b13, b14, b15, b16, b17, b18, b19, b1a, b1b, b1c, b1d, b1e, b1f, b1g, b1h, b1i, b1j, b1k, b1l, b1m, b1n,
            b1o, b1p, b1q, b1r, b1s, b1t, b1u, b1v, b1w, b1x, b1y, b1z, b20, b21, b22, b23, b24, b25, b26, b27, b28,
            b29, b2a, b2b, b2c, b2d, b2e, b2f, b2g, b2h, b2i, b2j, b2k, b2l, b2m, b2n, b2o, b2p, b2q, b2r, b2s, b2t,
            b2u, b2v, b2w, b2x, b2y, b2z, b30, b31, b32, b33, b34, b35, b36, b37, b38, b39, b3a, b3b, b3c, b3d, b3e,
            b3f, b3g, b3h, b3i, b3j, b3k, b3l, b3m, b3n, b3o, b3p, b3q, b3r, b3s, b3t, b3u, b3v, b3w, b3x, b3y, b3z,
            b40, b41, b42, b43, b44, b45, b46, b47;
        // spotless:on
        if (never) throw new StackOverflowError();
    }

    /**
     * About 16 KiB: for a stack that is about to be left, and will be put back at another depth (O4). To be called before anything is
     * changed for it.
     *
     * @throws StackOverflowError when the stack has no such room
     */
    @SuppressWarnings("UnusedVariable") // they are the room
    public static void ensureToLeave() {
        // spotless:off: one below the other they would fill many pages
        long a00, a01, a02, a03, a04, a05, a06, a07, a08, a09, a0a, a0b, a0c, a0d, a0e, a0f, a0g, a0h, a0i, a0j, a0k,
            a0l, a0m, a0n, a0o, a0p, a0q, a0r, a0s, a0t, a0u, a0v, a0w, a0x, a0y, a0z, a10, a11, a12, a13, a14, a15,
            a16, a17, a18, a19, a1a, a1b, a1c, a1d, a1e, a1f, a1g, a1h, a1i, a1j, a1k, a1l, a1m, a1n, a1o, a1p, a1q,
            a1r, a1s, a1t, a1u, a1v, a1w, a1x, a1y, a1z, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a2a, a2b,
            a2c, a2d, a2e, a2f, a2g, a2h, a2i, a2j, a2k, a2l, a2m, a2n, a2o, a2p, a2q, a2r, a2s, a2t, a2u, a2v, a2w,
            a2x, a2y, a2z, a30, a31, a32, a33, a34, a35, a36, a37, a38, a39, a3a, a3b, a3c, a3d, a3e, a3f, a3g, a3h,
            a3i, a3j, a3k, a3l, a3m, a3n, a3o, a3p, a3q, a3r, a3s, a3t, a3u, a3v, a3w, a3x, a3y, a3z, a40, a41, a42,
            a43, a44, a45, a46, a47, a48, a49, a4a, a4b, a4c, a4d, a4e, a4f, a4g, a4h, a4i, a4j, a4k, a4l, a4m, a4n,
            a4o, a4p, a4q, a4r, a4s, a4t, a4u, a4v, a4w, a4x, a4y, a4z, a50, a51, a52, a53, a54, a55, a56, a57, a58,
            a59, a5a, a5b, a5c, a5d, a5e, a5f, a5g, a5h, a5i, a5j, a5k, a5l, a5m, a5n, a5o, a5p, a5q, a5r, a5s, a5t,
            a5u, a5v, a5w, a5x, a5y, a5z, a60, a61, a62, a63, a64, a65, a66, a67, a68, a69, a6a, a6b, a6c, a6d, a6e,
            a6f, a6g, a6h, a6i, a6j, a6k, a6l, a6m, a6n, a6o, a6p, a6q, a6r, a6s, a6t, a6u, a6v, a6w, a6x, a6y, a6z,
            a70, a71, a72, a73, a74, a75, a76, a77, a78, a79, a7a, a7b, a7c, a7d, a7e, a7f, a7g, a7h, a7i, a7j, a7k,
            a7l, a7m, a7n, a7o, a7p, a7q, a7r, a7s, a7t, a7u, a7v, a7w, a7x, a7y, a7z, a80, a81, a82, a83, a84, a85,
            a86, a87, a88, a89, a8a, a8b, a8c, a8d, a8e, a8f, a8g, a8h, a8i, a8j, a8k, a8l, a8m, a8n, a8o, a8p, a8q,
            a8r, a8s, a8t, a8u, a8v, a8w, a8x, a8y, a8z, a90, a91, a92, a93, a94, a95, a96, a97, a98, a99, a9a, a9b,
            a9c, a9d, a9e, a9f, a9g, a9h, a9i, a9j, a9k, a9l, a9m, a9n, a9o, a9p, a9q, a9r, a9s, a9t, a9u, a9v, a9w,
            a9x, a9y, a9z, b00, b01, b02, b03, b04, b05, b06, b07, b08, b09, b0a, b0b, b0c, b0d, b0e, b0f, b0g, b0h,
            b0i, b0j, b0k, b0l, b0m, b0n, b0o, b0p, b0q, b0r, b0s, b0t, b0u, b0v, b0w, b0x, b0y, b0z, b10, b11, b12,
            b13, b14, b15, b16, b17, b18, b19, b1a, b1b, b1c, b1d, b1e, b1f, b1g, b1h, b1i, b1j, b1k, b1l, b1m, b1n,
            b1o, b1p, b1q, b1r, b1s, b1t, b1u, b1v, b1w, b1x, b1y, b1z, b20, b21, b22, b23, b24, b25, b26, b27, b28,
            b29, b2a, b2b, b2c, b2d, b2e, b2f, b2g, b2h, b2i, b2j, b2k, b2l, b2m, b2n, b2o, b2p, b2q, b2r, b2s, b2t,
            b2u, b2v, b2w, b2x, b2y, b2z, b30, b31, b32, b33, b34, b35, b36, b37, b38, b39, b3a, b3b, b3c, b3d, b3e,
            b3f, b3g, b3h, b3i, b3j, b3k, b3l, b3m, b3n, b3o, b3p, b3q, b3r, b3s, b3t, b3u, b3v, b3w, b3x, b3y, b3z,
            b40, b41, b42, b43, b44, b45, b46, b47, b48, b49, b4a, b4b, b4c, b4d, b4e, b4f, b4g, b4h, b4i, b4j, b4k,
            b4l, b4m, b4n, b4o, b4p, b4q, b4r, b4s, b4t, b4u, b4v, b4w, b4x, b4y, b4z, b50, b51, b52, b53, b54, b55,
            b56, b57, b58, b59, b5a, b5b, b5c, b5d, b5e, b5f, b5g, b5h, b5i, b5j, b5k, b5l, b5m, b5n, b5o, b5p, b5q,
            b5r, b5s, b5t, b5u, b5v, b5w, b5x, b5y, b5z, b60, b61, b62, b63, b64, b65, b66, b67, b68, b69, b6a, b6b,
            b6c, b6d, b6e, b6f, b6g, b6h, b6i, b6j, b6k, b6l, b6m, b6n, b6o, b6p, b6q, b6r, b6s, b6t, b6u, b6v, b6w,
            b6x, b6y, b6z, b70, b71, b72, b73, b74, b75, b76, b77, b78, b79, b7a, b7b, b7c, b7d, b7e, b7f, b7g, b7h,
            b7i, b7j, b7k, b7l, b7m, b7n, b7o, b7p, b7q, b7r, b7s, b7t, b7u, b7v, b7w, b7x, b7y, b7z, b80, b81, b82,
            b83, b84, b85, b86, b87, b88, b89, b8a, b8b, b8c, b8d, b8e, b8f, b8g, b8h, b8i, b8j, b8k, b8l, b8m, b8n,
            b8o, b8p, b8q, b8r, b8s, b8t, b8u, b8v, b8w, b8x, b8y, b8z, b90, b91, b92, b93, b94, b95, b96, b97, b98,
            b99, b9a, b9b, b9c, b9d, b9e, b9f, b9g, b9h, b9i, b9j, b9k, b9l, b9m, b9n, b9o, b9p, b9q, b9r, b9s, b9t,
            b9u, b9v, b9w, b9x, b9y, b9z, c00, c01, c02, c03, c04, c05, c06, c07, c08, c09, c0a, c0b, c0c, c0d, c0e,
            c0f, c0g, c0h, c0i, c0j, c0k, c0l, c0m, c0n, c0o, c0p, c0q, c0r, c0s, c0t, c0u, c0v, c0w, c0x, c0y, c0z,
            c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c1a, c1b, c1c, c1d, c1e, c1f, c1g, c1h, c1i, c1j, c1k,
            c1l, c1m, c1n, c1o, c1p, c1q, c1r, c1s, c1t, c1u, c1v, c1w, c1x, c1y, c1z, c20, c21, c22, c23, c24, c25,
            c26, c27, c28, c29, c2a, c2b, c2c, c2d, c2e, c2f, c2g, c2h, c2i, c2j, c2k, c2l, c2m, c2n, c2o, c2p, c2q,
            c2r, c2s, c2t, c2u, c2v, c2w, c2x, c2y, c2z, c30, c31, c32, c33, c34, c35, c36, c37, c38, c39, c3a, c3b,
            c3c, c3d, c3e, c3f, c3g, c3h, c3i, c3j, c3k, c3l, c3m, c3n, c3o, c3p, c3q, c3r, c3s, c3t, c3u, c3v, c3w,
            c3x, c3y, c3z, c40, c41, c42, c43, c44, c45, c46, c47, c48, c49, c4a, c4b, c4c, c4d, c4e, c4f, c4g, c4h,
            c4i, c4j, c4k, c4l, c4m, c4n, c4o, c4p, c4q, c4r, c4s, c4t, c4u, c4v, c4w, c4x, c4y, c4z, c50, c51, c52,
            c53, c54, c55, c56, c57, c58, c59, c5a, c5b, c5c, c5d, c5e, c5f, c5g, c5h, c5i, c5j, c5k, c5l, c5m, c5n,
            c5o, c5p, c5q, c5r, c5s, c5t, c5u, c5v, c5w, c5x, c5y, c5z, c60, c61, c62, c63, c64, c65, c66, c67, c68,
            c69, c6a, c6b, c6c, c6d, c6e, c6f, c6g, c6h, c6i, c6j, c6k, c6l, c6m, c6n, c6o, c6p, c6q, c6r, c6s, c6t,
            c6u, c6v, c6w, c6x, c6y, c6z, c70, c71, c72, c73, c74, c75, c76, c77, c78, c79, c7a, c7b, c7c, c7d, c7e,
            c7f, c7g, c7h, c7i, c7j, c7k, c7l, c7m, c7n, c7o, c7p, c7q, c7r, c7s, c7t, c7u, c7v, c7w, c7x, c7y, c7z,
            c80, c81, c82, c83, c84, c85, c86, c87, c88, c89, c8a, c8b, c8c, c8d, c8e, c8f;
        // spotless:on
        if (never) throw new StackOverflowError();
    }

    /**
     * About 28 KiB: for a call that waits, or needs other calls which ensure room, or that takes something which must be given back from
     * the same depth. To be called first.
     *
     * @throws StackOverflowError when the stack has no such room
     */
    @SuppressWarnings("UnusedVariable") // they are the room
    public static void ensureMore() {
        // spotless:off: one below the other they would fill many pages
        long a00, a01, a02, a03, a04, a05, a06, a07, a08, a09, a0a, a0b, a0c, a0d, a0e, a0f, a0g, a0h, a0i, a0j, a0k,
            a0l, a0m, a0n, a0o, a0p, a0q, a0r, a0s, a0t, a0u, a0v, a0w, a0x, a0y, a0z, a10, a11, a12, a13, a14, a15,
            a16, a17, a18, a19, a1a, a1b, a1c, a1d, a1e, a1f, a1g, a1h, a1i, a1j, a1k, a1l, a1m, a1n, a1o, a1p, a1q,
            a1r, a1s, a1t, a1u, a1v, a1w, a1x, a1y, a1z, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a2a, a2b,
            a2c, a2d, a2e, a2f, a2g, a2h, a2i, a2j, a2k, a2l, a2m, a2n, a2o, a2p, a2q, a2r, a2s, a2t, a2u, a2v, a2w,
            a2x, a2y, a2z, a30, a31, a32, a33, a34, a35, a36, a37, a38, a39, a3a, a3b, a3c, a3d, a3e, a3f, a3g, a3h,
            a3i, a3j, a3k, a3l, a3m, a3n, a3o, a3p, a3q, a3r, a3s, a3t, a3u, a3v, a3w, a3x, a3y, a3z, a40, a41, a42,
            a43, a44, a45, a46, a47, a48, a49, a4a, a4b, a4c, a4d, a4e, a4f, a4g, a4h, a4i, a4j, a4k, a4l, a4m, a4n,
            a4o, a4p, a4q, a4r, a4s, a4t, a4u, a4v, a4w, a4x, a4y, a4z, a50, a51, a52, a53, a54, a55, a56, a57, a58,
            a59, a5a, a5b, a5c, a5d, a5e, a5f, a5g, a5h, a5i, a5j, a5k, a5l, a5m, a5n, a5o, a5p, a5q, a5r, a5s, a5t,
            a5u, a5v, a5w, a5x, a5y, a5z, a60, a61, a62, a63, a64, a65, a66, a67, a68, a69, a6a, a6b, a6c, a6d, a6e,
            a6f, a6g, a6h, a6i, a6j, a6k, a6l, a6m, a6n, a6o, a6p, a6q, a6r, a6s, a6t, a6u, a6v, a6w, a6x, a6y, a6z,
            a70, a71, a72, a73, a74, a75, a76, a77, a78, a79, a7a, a7b, a7c, a7d, a7e, a7f, a7g, a7h, a7i, a7j, a7k,
            a7l, a7m, a7n, a7o, a7p, a7q, a7r, a7s, a7t, a7u, a7v, a7w, a7x, a7y, a7z, a80, a81, a82, a83, a84, a85,
            a86, a87, a88, a89, a8a, a8b, a8c, a8d, a8e, a8f, a8g, a8h, a8i, a8j, a8k, a8l, a8m, a8n, a8o, a8p, a8q,
            a8r, a8s, a8t, a8u, a8v, a8w, a8x, a8y, a8z, a90, a91, a92, a93, a94, a95, a96, a97, a98, a99, a9a, a9b,
            a9c, a9d, a9e, a9f, a9g, a9h, a9i, a9j, a9k, a9l, a9m, a9n, a9o, a9p, a9q, a9r, a9s, a9t, a9u, a9v, a9w,
            a9x, a9y, a9z, b00, b01, b02, b03, b04, b05, b06, b07, b08, b09, b0a, b0b, b0c, b0d, b0e, b0f, b0g, b0h,
            b0i, b0j, b0k, b0l, b0m, b0n, b0o, b0p, b0q, b0r, b0s, b0t, b0u, b0v, b0w, b0x, b0y, b0z, b10, b11, b12,
            b13, b14, b15, b16, b17, b18, b19, b1a, b1b, b1c, b1d, b1e, b1f, b1g, b1h, b1i, b1j, b1k, b1l, b1m, b1n,
            b1o, b1p, b1q, b1r, b1s, b1t, b1u, b1v, b1w, b1x, b1y, b1z, b20, b21, b22, b23, b24, b25, b26, b27, b28,
            b29, b2a, b2b, b2c, b2d, b2e, b2f, b2g, b2h, b2i, b2j, b2k, b2l, b2m, b2n, b2o, b2p, b2q, b2r, b2s, b2t,
            b2u, b2v, b2w, b2x, b2y, b2z, b30, b31, b32, b33, b34, b35, b36, b37, b38, b39, b3a, b3b, b3c, b3d, b3e,
            b3f, b3g, b3h, b3i, b3j, b3k, b3l, b3m, b3n, b3o, b3p, b3q, b3r, b3s, b3t, b3u, b3v, b3w, b3x, b3y, b3z,
            b40, b41, b42, b43, b44, b45, b46, b47, b48, b49, b4a, b4b, b4c, b4d, b4e, b4f, b4g, b4h, b4i, b4j, b4k,
            b4l, b4m, b4n, b4o, b4p, b4q, b4r, b4s, b4t, b4u, b4v, b4w, b4x, b4y, b4z, b50, b51, b52, b53, b54, b55,
            b56, b57, b58, b59, b5a, b5b, b5c, b5d, b5e, b5f, b5g, b5h, b5i, b5j, b5k, b5l, b5m, b5n, b5o, b5p, b5q,
            b5r, b5s, b5t, b5u, b5v, b5w, b5x, b5y, b5z, b60, b61, b62, b63, b64, b65, b66, b67, b68, b69, b6a, b6b,
            b6c, b6d, b6e, b6f, b6g, b6h, b6i, b6j, b6k, b6l, b6m, b6n, b6o, b6p, b6q, b6r, b6s, b6t, b6u, b6v, b6w,
            b6x, b6y, b6z, b70, b71, b72, b73, b74, b75, b76, b77, b78, b79, b7a, b7b, b7c, b7d, b7e, b7f, b7g, b7h,
            b7i, b7j, b7k, b7l, b7m, b7n, b7o, b7p, b7q, b7r, b7s, b7t, b7u, b7v, b7w, b7x, b7y, b7z, b80, b81, b82,
            b83, b84, b85, b86, b87, b88, b89, b8a, b8b, b8c, b8d, b8e, b8f, b8g, b8h, b8i, b8j, b8k, b8l, b8m, b8n,
            b8o, b8p, b8q, b8r, b8s, b8t, b8u, b8v, b8w, b8x, b8y, b8z, b90, b91, b92, b93, b94, b95, b96, b97, b98,
            b99, b9a, b9b, b9c, b9d, b9e, b9f, b9g, b9h, b9i, b9j, b9k, b9l, b9m, b9n, b9o, b9p, b9q, b9r, b9s, b9t,
            b9u, b9v, b9w, b9x, b9y, b9z, c00, c01, c02, c03, c04, c05, c06, c07, c08, c09, c0a, c0b, c0c, c0d, c0e,
            c0f, c0g, c0h, c0i, c0j, c0k, c0l, c0m, c0n, c0o, c0p, c0q, c0r, c0s, c0t, c0u, c0v, c0w, c0x, c0y, c0z,
            c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c1a, c1b, c1c, c1d, c1e, c1f, c1g, c1h, c1i, c1j, c1k,
            c1l, c1m, c1n, c1o, c1p, c1q, c1r, c1s, c1t, c1u, c1v, c1w, c1x, c1y, c1z, c20, c21, c22, c23, c24, c25,
            c26, c27, c28, c29, c2a, c2b, c2c, c2d, c2e, c2f, c2g, c2h, c2i, c2j, c2k, c2l, c2m, c2n, c2o, c2p, c2q,
            c2r, c2s, c2t, c2u, c2v, c2w, c2x, c2y, c2z, c30, c31, c32, c33, c34, c35, c36, c37, c38, c39, c3a, c3b,
            c3c, c3d, c3e, c3f, c3g, c3h, c3i, c3j, c3k, c3l, c3m, c3n, c3o, c3p, c3q, c3r, c3s, c3t, c3u, c3v, c3w,
            c3x, c3y, c3z, c40, c41, c42, c43, c44, c45, c46, c47, c48, c49, c4a, c4b, c4c, c4d, c4e, c4f, c4g, c4h,
            c4i, c4j, c4k, c4l, c4m, c4n, c4o, c4p, c4q, c4r, c4s, c4t, c4u, c4v, c4w, c4x, c4y, c4z, c50, c51, c52,
            c53, c54, c55, c56, c57, c58, c59, c5a, c5b, c5c, c5d, c5e, c5f, c5g, c5h, c5i, c5j, c5k, c5l, c5m, c5n,
            c5o, c5p, c5q, c5r, c5s, c5t, c5u, c5v, c5w, c5x, c5y, c5z, c60, c61, c62, c63, c64, c65, c66, c67, c68,
            c69, c6a, c6b, c6c, c6d, c6e, c6f, c6g, c6h, c6i, c6j, c6k, c6l, c6m, c6n, c6o, c6p, c6q, c6r, c6s, c6t,
            c6u, c6v, c6w, c6x, c6y, c6z, c70, c71, c72, c73, c74, c75, c76, c77, c78, c79, c7a, c7b, c7c, c7d, c7e,
            c7f, c7g, c7h, c7i, c7j, c7k, c7l, c7m, c7n, c7o, c7p, c7q, c7r, c7s, c7t, c7u, c7v, c7w, c7x, c7y, c7z,
            c80, c81, c82, c83, c84, c85, c86, c87, c88, c89, c8a, c8b, c8c, c8d, c8e, c8f, c8g, c8h, c8i, c8j, c8k,
            c8l, c8m, c8n, c8o, c8p, c8q, c8r, c8s, c8t, c8u, c8v, c8w, c8x, c8y, c8z, c90, c91, c92, c93, c94, c95,
            c96, c97, c98, c99, c9a, c9b, c9c, c9d, c9e, c9f, c9g, c9h, c9i, c9j, c9k, c9l, c9m, c9n, c9o, c9p, c9q,
            c9r, c9s, c9t, c9u, c9v, c9w, c9x, c9y, c9z, d00, d01, d02, d03, d04, d05, d06, d07, d08, d09, d0a, d0b,
            d0c, d0d, d0e, d0f, d0g, d0h, d0i, d0j, d0k, d0l, d0m, d0n, d0o, d0p, d0q, d0r, d0s, d0t, d0u, d0v, d0w,
            d0x, d0y, d0z, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d1a, d1b, d1c, d1d, d1e, d1f, d1g, d1h,
            d1i, d1j, d1k, d1l, d1m, d1n, d1o, d1p, d1q, d1r, d1s, d1t, d1u, d1v, d1w, d1x, d1y, d1z, d20, d21, d22,
            d23, d24, d25, d26, d27, d28, d29, d2a, d2b, d2c, d2d, d2e, d2f, d2g, d2h, d2i, d2j, d2k, d2l, d2m, d2n,
            d2o, d2p, d2q, d2r, d2s, d2t, d2u, d2v, d2w, d2x, d2y, d2z, d30, d31, d32, d33, d34, d35, d36, d37, d38,
            d39, d3a, d3b, d3c, d3d, d3e, d3f, d3g, d3h, d3i, d3j, d3k, d3l, d3m, d3n, d3o, d3p, d3q, d3r, d3s, d3t,
            d3u, d3v, d3w, d3x, d3y, d3z, d40, d41, d42, d43, d44, d45, d46, d47, d48, d49, d4a, d4b, d4c, d4d, d4e,
            d4f, d4g, d4h, d4i, d4j, d4k, d4l, d4m, d4n, d4o, d4p, d4q, d4r, d4s, d4t, d4u, d4v, d4w, d4x, d4y, d4z,
            d50, d51, d52, d53, d54, d55, d56, d57, d58, d59, d5a, d5b, d5c, d5d, d5e, d5f, d5g, d5h, d5i, d5j, d5k,
            d5l, d5m, d5n, d5o, d5p, d5q, d5r, d5s, d5t, d5u, d5v, d5w, d5x, d5y, d5z, d60, d61, d62, d63, d64, d65,
            d66, d67, d68, d69, d6a, d6b, d6c, d6d, d6e, d6f, d6g, d6h, d6i, d6j, d6k, d6l, d6m, d6n, d6o, d6p, d6q,
            d6r, d6s, d6t, d6u, d6v, d6w, d6x, d6y, d6z, d70, d71, d72, d73, d74, d75, d76, d77, d78, d79, d7a, d7b,
            d7c, d7d, d7e, d7f, d7g, d7h, d7i, d7j, d7k, d7l, d7m, d7n, d7o, d7p, d7q, d7r, d7s, d7t, d7u, d7v, d7w,
            d7x, d7y, d7z, d80, d81, d82, d83, d84, d85, d86, d87, d88, d89, d8a, d8b, d8c, d8d, d8e, d8f, d8g, d8h,
            d8i, d8j, d8k, d8l, d8m, d8n, d8o, d8p, d8q, d8r, d8s, d8t, d8u, d8v, d8w, d8x, d8y, d8z, d90, d91, d92,
            d93, d94, d95, d96, d97, d98, d99, d9a, d9b, d9c, d9d, d9e, d9f, d9g, d9h, d9i, d9j, d9k, d9l, d9m, d9n,
            d9o, d9p, d9q, d9r, d9s, d9t, d9u, d9v, d9w, d9x, d9y, d9z, e00, e01, e02, e03, e04, e05, e06, e07, e08,
            e09, e0a, e0b, e0c, e0d, e0e, e0f, e0g, e0h, e0i, e0j, e0k, e0l, e0m, e0n, e0o, e0p, e0q, e0r, e0s, e0t,
            e0u, e0v, e0w, e0x, e0y, e0z, e10, e11, e12, e13, e14, e15, e16, e17, e18, e19, e1a, e1b, e1c, e1d, e1e,
            e1f, e1g, e1h, e1i, e1j, e1k, e1l, e1m, e1n, e1o, e1p, e1q, e1r, e1s, e1t, e1u, e1v, e1w, e1x, e1y, e1z,
            e20, e21, e22, e23, e24, e25, e26, e27, e28, e29, e2a, e2b, e2c, e2d, e2e, e2f, e2g, e2h, e2i, e2j, e2k,
            e2l, e2m, e2n, e2o, e2p, e2q, e2r, e2s, e2t, e2u, e2v, e2w, e2x, e2y, e2z, e30, e31, e32, e33, e34, e35,
            e36, e37, e38, e39, e3a, e3b, e3c, e3d, e3e, e3f, e3g, e3h, e3i, e3j, e3k, e3l, e3m, e3n, e3o, e3p, e3q,
            e3r, e3s, e3t, e3u, e3v, e3w, e3x, e3y, e3z, e40, e41, e42, e43, e44, e45, e46, e47, e48, e49, e4a, e4b,
            e4c, e4d, e4e, e4f, e4g, e4h, e4i, e4j, e4k, e4l, e4m, e4n, e4o, e4p, e4q, e4r, e4s, e4t, e4u, e4v, e4w,
            e4x, e4y, e4z, e50, e51, e52, e53, e54, e55, e56, e57, e58, e59, e5a, e5b, e5c, e5d, e5e, e5f, e5g, e5h,
            e5i, e5j, e5k, e5l, e5m, e5n, e5o, e5p, e5q, e5r, e5s, e5t, e5u, e5v, e5w, e5x, e5y, e5z, e60, e61, e62,
            e63, e64, e65, e66, e67, e68, e69, e6a, e6b, e6c, e6d, e6e, e6f, e6g, e6h, e6i, e6j, e6k, e6l, e6m, e6n,
            e6o, e6p, e6q, e6r, e6s, e6t, e6u, e6v, e6w, e6x, e6y, e6z, e70, e71, e72, e73, e74, e75, e76, e77, e78,
            e79, e7a, e7b, e7c, e7d, e7e, e7f, e7g, e7h, e7i, e7j, e7k, e7l, e7m, e7n, e7o, e7p, e7q, e7r, e7s, e7t,
            e7u, e7v, e7w, e7x, e7y, e7z, e80, e81, e82, e83, e84, e85, e86, e87, e88, e89, e8a, e8b, e8c, e8d, e8e,
            e8f, e8g, e8h, e8i, e8j, e8k, e8l, e8m, e8n, e8o, e8p, e8q, e8r, e8s, e8t, e8u, e8v, e8w, e8x, e8y, e8z,
            e90, e91, e92, e93, e94, e95, e96, e97, e98, e99, e9a, e9b, e9c, e9d, e9e, e9f, e9g, e9h, e9i, e9j, e9k,
            e9l, e9m, e9n, e9o, e9p, e9q, e9r;
        // spotless:on
        if (never) throw new StackOverflowError();
    }

    /**
     * For a stack that is put back on top of the caller's.
     *
     * @param bytes its size; a thirty-second and up to 4 KiB more are asked for, since the JVM reckons with 8 bytes more for an interpreted frame
     * @throws StackOverflowError when the stack has no such room
     */
    public static void ensureFor(long bytes) {
        // spotless:off
        long sum = reach((bytes + bytes / 32 + 1024) / REACH + 1, VALUES,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0, 0, 0);
        // spotless:on
        if (sum != 0) throw new StackOverflowError(); // it is 0; the compiler must not know
    }

    /**
     * Takes about {@link #REACH} bytes per level, interpreted (3160) or compiled (3000). A long that is needed after the call takes 16 bytes of
     * an interpreted frame and 8 of a compiled one, an int that is handed over 8 and 16. It is too large for the JIT to inline, which would
     * let levels share a frame.
     */
    @SuppressWarnings({"UnusedVariable", "TooManyParameters"}) // they are the room
    // spotless:off
    private static long reach(long levels, long[] v,
            int pa0, int pa1, int pa2, int pa3, int pa4, int pb0, int pb1, int pb2, int pb3, int pb4, int pc0, int pc1, int pc2, int pc3,
            int pc4, int pd0, int pd1, int pd2, int pd3, int pd4, int pe0, int pe1, int pe2, int pe3, int pe4, int pf0, int pf1, int pf2,
            int pf3, int pf4, int pg0, int pg1, int pg2, int pg3, int pg4, int ph0, int ph1, int ph2, int ph3, int ph4, int pi0, int pi1,
            int pi2, int pi3, int pi4, int pj0, int pj1, int pj2, int pj3, int pj4, int pk0, int pk1, int pk2, int pk3, int pk4, int pl0,
            int pl1, int pl2, int pl3, int pl4, int pm0, int pm1, int pm2, int pm3, int pm4, int pn0, int pn1, int pn2, int pn3, int pn4,
            int po0, int po1, int po2, int po3, int po4, int pp0, int pp1, int pp2, int pp3, int pp4, int pq0, int pq1, int pq2, int pq3,
            int pq4, int pr0, int pr1, int pr2, int pr3, int pr4, int ps0, int ps1, int ps2, int ps3, int ps4, int pt0, int pt1, int pt2,
            int pt3, int pt4, int pu0, int pu1, int pu2, int pu3, int pu4, int pv0, int pv1, int pv2, int pv3, int pv4, int pw0, int pw1,
            int pw2, int pw3, int pw4, int px0, int px1, int px2, int px3, int px4, int py0, int py1, int py2, int py3, int py4) {
        long a0 = v[0], a1 = v[1], a2 = v[2], a3 = v[3], a4 = v[4], b0 = v[5], b1 = v[6], b2 = v[7], b3 = v[8],
            b4 = v[9], c0 = v[10], c1 = v[11], c2 = v[12], c3 = v[13], c4 = v[14], d0 = v[15], d1 = v[16], d2 = v[17],
            d3 = v[18], d4 = v[19], e0 = v[20], e1 = v[21], e2 = v[22], e3 = v[23], e4 = v[24], f0 = v[25], f1 = v[26],
            f2 = v[27], f3 = v[28], f4 = v[29], g0 = v[30], g1 = v[31], g2 = v[32], g3 = v[33], g4 = v[34], h0 = v[35],
            h1 = v[36], h2 = v[37], h3 = v[38], h4 = v[39], i0 = v[40], i1 = v[41], i2 = v[42], i3 = v[43], i4 = v[44],
            j0 = v[45], j1 = v[46], j2 = v[47], j3 = v[48], j4 = v[49], k0 = v[50], k1 = v[51], k2 = v[52], k3 = v[53],
            k4 = v[54], l0 = v[55], l1 = v[56], l2 = v[57], l3 = v[58], l4 = v[59], m0 = v[60], m1 = v[61], m2 = v[62],
            m3 = v[63], m4 = v[64], n0 = v[65], n1 = v[66], n2 = v[67], n3 = v[68], n4 = v[69], o0 = v[70], o1 = v[71],
            o2 = v[72], o3 = v[73], o4 = v[74], p0 = v[75], p1 = v[76], p2 = v[77], p3 = v[78], p4 = v[79], q0 = v[80],
            q1 = v[81], q2 = v[82], q3 = v[83], q4 = v[84], r0 = v[85], r1 = v[86], r2 = v[87], r3 = v[88], r4 = v[89],
            s0 = v[90], s1 = v[91], s2 = v[92], s3 = v[93], s4 = v[94], t0 = v[95], t1 = v[96], t2 = v[97], t3 = v[98],
            t4 = v[99], u0 = v[100], u1 = v[101], u2 = v[102], u3 = v[103], u4 = v[104], v0 = v[105], v1 = v[106], v2 = v[107],
            v3 = v[108], v4 = v[109], w0 = v[110], w1 = v[111], w2 = v[112], w3 = v[113], w4 = v[114], x0 = v[115], x1 = v[116],
            x2 = v[117], x3 = v[118], x4 = v[119], y0 = v[120], y1 = v[121], y2 = v[122], y3 = v[123], y4 = v[124];
        long below = levels <= 0 ? 0 : reach(levels - 1, v,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0, 0, 0);
        return below
            + a0 + a1 + a2 + a3 + a4 + b0 + b1 + b2 + b3 + b4 + c0 + c1 + c2 + c3 + c4 + d0 + d1 + d2 + d3 + d4
            + e0 + e1 + e2 + e3 + e4 + f0 + f1 + f2 + f3 + f4 + g0 + g1 + g2 + g3 + g4 + h0 + h1 + h2 + h3 + h4
            + i0 + i1 + i2 + i3 + i4 + j0 + j1 + j2 + j3 + j4 + k0 + k1 + k2 + k3 + k4 + l0 + l1 + l2 + l3 + l4
            + m0 + m1 + m2 + m3 + m4 + n0 + n1 + n2 + n3 + n4 + o0 + o1 + o2 + o3 + o4 + p0 + p1 + p2 + p3 + p4
            + q0 + q1 + q2 + q3 + q4 + r0 + r1 + r2 + r3 + r4 + s0 + s1 + s2 + s3 + s4 + t0 + t1 + t2 + t3 + t4
            + u0 + u1 + u2 + u3 + u4 + v0 + v1 + v2 + v3 + v4 + w0 + w1 + w2 + w3 + w4 + x0 + x1 + x2 + x3 + x4
            + y0 + y1 + y2 + y3 + y4;
    }
    // spotless:on

    /**
     * Whether there is as much room as {@link #ensureFor} asks for.
     *
     * @param bytes likewise
     * @return false when it would throw
     */
    public static boolean hasFor(long bytes) {
        try {
            ensureFor(bytes);
            return true;
        } catch (StackOverflowError deep) {
            return false;
        }
    }

    /**
     * Whether there is as much room as {@link #ensureMore} asks for.
     *
     * @return false when it would throw
     */
    public static boolean hasMore() {
        try {
            ensureMoreApart();
            return true;
        } catch (StackOverflowError deep) {
            return false;
        }
    }

    /** As ensureMore, but too large to be inlined: who inlined it would ask where it begins, and could not catch the answer. */
    private static void ensureMoreApart() {
        ensureMore();
        // spotless:off
        if (never) throw new StackOverflowError("" + (0
            + VALUES[0] + VALUES[1] + VALUES[2] + VALUES[3] + VALUES[4] + VALUES[5] + VALUES[6] + VALUES[7] + VALUES[8] + VALUES[9]
            + VALUES[10] + VALUES[11] + VALUES[12] + VALUES[13] + VALUES[14] + VALUES[15] + VALUES[16] + VALUES[17] + VALUES[18] + VALUES[19]
            + VALUES[20] + VALUES[21] + VALUES[22] + VALUES[23] + VALUES[24] + VALUES[25] + VALUES[26] + VALUES[27] + VALUES[28] + VALUES[29]
            + VALUES[30] + VALUES[31] + VALUES[32] + VALUES[33] + VALUES[34] + VALUES[35] + VALUES[36] + VALUES[37] + VALUES[38] + VALUES[39]
            + VALUES[40] + VALUES[41] + VALUES[42] + VALUES[43] + VALUES[44] + VALUES[45] + VALUES[46] + VALUES[47] + VALUES[48] + VALUES[49]
            + VALUES[50] + VALUES[51] + VALUES[52] + VALUES[53] + VALUES[54] + VALUES[55] + VALUES[56] + VALUES[57] + VALUES[58] + VALUES[59]));
        // spotless:on
    }
}
