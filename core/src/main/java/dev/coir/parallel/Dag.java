package dev.coir.parallel;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Things to do and what must be done before each: a graph that is built once and run as often as you like, also by several at
 * a time. Whatever can run at once does.
 *
 * {@snippet :
 * var builder = Dag.builder();
 * var load = builder.node("load", this::load);
 * var parse = builder.node("parse", this::parse, load);
 * var index = builder.node("index", this::index, load);
 * builder.node("report", this::report, parse, index);
 * Dag dag = builder.build();
 * dag.run();
 * }
 */
public final class Dag {
    /** One thing to do. */
    public static final class Node {
        private final Builder builder;
        private final int number;
        private final String name;
        private final Runnable body;
        private final Set<Node> before = new LinkedHashSet<>();

        private Node(Builder builder, int number, String name, Runnable body) {
            this.builder = builder;
            this.number = number;
            this.name = name;
            this.body = body;
        }

        /**
         * Says what must be done before. Only until the graph is built.
         *
         * @param nodes of the same builder
         * @return this
         */
        public Node after(Node... nodes) {
            builder.ensureOpen();
            for (Node each : Objects.requireNonNull(nodes, "nodes")) {
                Objects.requireNonNull(each, "node");
                if (each.builder != builder) {
                    throw new IllegalArgumentException("node: " + each + " (expected: one of the same builder)");
                }
                before.add(each);
            }
            return this;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Collects the nodes. For one party. */
    public static final class Builder {
        private final List<Node> nodes = new ArrayList<>();
        private boolean built;

        private Builder() {}

        private void ensureOpen() {
            if (built) throw new IllegalStateException("the graph has been built; use a new builder");
        }

        /**
         * Adds a thing to do.
         *
         * @param name for messages
         * @param body what to do
         * @param after what must be done before
         * @return the node
         */
        public Node node(String name, Runnable body, Node... after) {
            ensureOpen();
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(body, "body");
            var node = new Node(this, nodes.size(), name, body);
            node.after(Objects.requireNonNull(after, "after"));
            nodes.add(node);
            return node;
        }

        /**
         * Adds a thing to do, named by its number.
         *
         * @param body what to do
         * @param after what must be done before
         * @return the node
         */
        public Node node(Runnable body, Node... after) {
            return node("node " + nodes.size(), body, after);
        }

        /**
         * Makes the graph. The builder is used up.
         *
         * @return the graph
         * @throws IllegalStateException when nodes wait for each other in a circle; the text names them, and the builder
         *     stays usable
         */
        public Dag build() {
            ensureOpen();
            ensureNoCycle();
            built = true;
            return new Dag(nodes);
        }

        /** Walks against the arrows, depth first; a node met on the current path closes a circle. */
        private void ensureNoCycle() {
            int[] state = new int[nodes.size()]; // 0 unseen, 1 on the path, 2 cleared
            Deque<Node> path = new ArrayDeque<>();
            Deque<Iterator<Node>> open = new ArrayDeque<>();
            for (Node root : nodes) {
                if (state[root.number] != 0) continue;
                step(root, state, path, open);
                while (!open.isEmpty()) {
                    if (!open.getLast().hasNext()) {
                        open.removeLast();
                        state[path.removeLast().number] = 2;
                        continue;
                    }
                    Node next = open.getLast().next();
                    if (state[next.number] == 1) throw new IllegalStateException(circle(path, next));
                    if (state[next.number] == 0) step(next, state, path, open);
                }
            }
        }

        private static void step(Node node, int[] state, Deque<Node> path, Deque<Iterator<Node>> open) {
            state[node.number] = 1;
            path.addLast(node);
            open.addLast(node.before.iterator());
        }

        private static String circle(Deque<Node> path, Node closing) {
            List<Node> all = new ArrayList<>(path);
            List<Node> circle = all.subList(all.indexOf(closing), all.size()).reversed();
            return "nodes wait for each other: " + closing + " -> "
                    + circle.stream().map(Node::toString).collect(Collectors.joining(" -> "));
        }
    }

    private final List<Node> nodes;
    private final List<List<Node>> following; // by number: those who wait for it

    private Dag(List<Node> nodes) {
        this.nodes = List.copyOf(nodes);
        List<List<Node>> after = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) after.add(new ArrayList<>());
        for (Node each : nodes)
            for (Node earlier : each.before) after.get(earlier.number).add(each);
        this.following = List.copyOf(after);
    }

    /**
     * Begins a graph.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Does everything, each node after those it waits for, as many at once as can be, in fibers on the current executor.
     * Returns when all is done. When a body throws, no further node begins, and what it threw leaves here after those under
     * way have ended. An interrupt does not end the wait, and is remembered.
     */
    public void run() {
        new Run().run();
    }

    /** One run of the graph. */
    private final class Run {
        private final Bundle all = new Bundle(Integer.MAX_VALUE);
        private final AtomicInteger[] missing = new AtomicInteger[nodes.size()]; // by number: of those before it

        void run() {
            for (Node each : nodes) missing[each.number] = new AtomicInteger(each.before.size());
            for (Node each : nodes) {
                if (each.before.isEmpty()) all.start(() -> perform(each));
            }
            all.join();
        }

        /** Does a node and, one after the other, those that only waited for it; further ones in fibers of their own. */
        private void perform(Node first) {
            Node node = first;
            while (node != null && !all.hasFailed()) {
                node.body.run();
                Node next = null;
                for (Node each : following.get(node.number)) {
                    if (missing[each.number].decrementAndGet() != 0) continue;
                    if (next == null) next = each;
                    else all.start(() -> perform(each));
                }
                node = next;
            }
        }
    }

    @Override
    public String toString() {
        return "Dag" + nodes;
    }
}
