package dev.coir.examples;

import dev.coir.coro.Generator;
import org.jspecify.annotations.Nullable;

/**
 * A recursive walk that its consumer drives: the walk is three plain lines, and yet a {@code for} loop can take one word at
 * a time from it and stop whenever it likes.
 */
public final class TreeWalk {
    private TreeWalk() {}

    /** A binary search tree of words; null is the empty tree. */
    record Tree(@Nullable Tree left, String word, @Nullable Tree right) {
        static Tree of(String... words) {
            Tree tree = null;
            for (String word : words) tree = with(tree, word);
            if (tree == null) throw new IllegalArgumentException("no words (expected: one at least)");
            return tree;
        }

        private static Tree with(@Nullable Tree tree, String word) {
            if (tree == null) return new Tree(null, word, null);
            return word.compareTo(tree.word) < 0
                    ? new Tree(with(tree.left, word), tree.word, tree.right)
                    : new Tree(tree.left, tree.word, with(tree.right, word));
        }
    }

    /** The words in order. */
    static Generator<String> words(Tree tree) {
        return Generator.of(sink -> walk(tree, sink));
    }

    private static void walk(@Nullable Tree tree, Generator.Sink<String> sink) {
        if (tree == null) return;
        walk(tree.left(), sink);
        sink.yield(tree.word()); // suspends the whole recursion, however deep
        walk(tree.right(), sink);
    }

    public static void main(String[] args) {
        Tree tree = Tree.of("mango", "coconut", "papaya", "banana", "fig", "orange", "quince");

        System.out.println("in order:");
        for (String word : words(tree)) System.out.println("  " + word);

        System.out.println("the first after d:");
        for (String word : words(tree)) {
            if (word.compareTo("d") < 0) continue;
            System.out.println("  " + word);
            break; // the rest of the tree is never visited
        }
    }
}
