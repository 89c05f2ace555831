package dev.coir.testing;

import dev.coir.internal.StackRoom;

/**
 * Asks each question of StackRoom where a stack ends, and then with ever more room; prints how many levels above the end each is
 * first answered well.
 */
public final class RoomAtTheEnd {
    private static final int UNTIL_COMPILED = 20_000;
    private static int first; // levels above the end; -1 until then

    private RoomAtTheEnd() {}

    /**
     * Prints the levels of ensure, ensureToLeave, ensureMore, ensureFor(64 KiB) and hasMore, which is answered as soon as it can be called.
     *
     * @param args none
     */
    public static void main(String[] args) throws Exception {
        Runnable[] questions = {
            StackRoom::ensure,
            StackRoom::ensureToLeave,
            StackRoom::ensureMore,
            () -> StackRoom.ensureFor(64 << 10),
            StackRoom::hasMore
        };
        for (Runnable each : questions) for (int i = 0; i < UNTIL_COMPILED; i++) each.run();
        for (Runnable each : questions) {
            var thread = new Thread(null, () -> System.out.print(levels(each) + " "), "deep", 512 << 10);
            thread.start();
            thread.join();
        }
    }

    private static int levels(Runnable question) {
        for (int round = 0; round < 3; round++) { // then its frames are compiled, overflows included, and have one size
            first = 0;
            for (int i = 0; i < UNTIL_COMPILED; i++) descend(2, question);
            first = -1;
            descend(Integer.MAX_VALUE, question);
        }
        return first;
    }

    private static int descend(int limit, Runnable question) {
        int above;
        try {
            above = limit == 0 ? 0 : descend(limit - 1, question) + 1;
        } catch (StackOverflowError end) {
            return 0;
        }
        if (first >= 0) return above;
        try {
            ask(question);
            first = above;
        } catch (StackOverflowError tooDeep) {
            return above;
        }
        return above;
    }

    /** Not to be inlined: the recursion would ask along with it. */
    private static void ask(Runnable question) {
        question.run();
    }
}
