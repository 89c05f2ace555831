package dev.coir.internal.sched;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The machine's NUMA nodes and their processors.
 *
 * @param nodes the processors of each node that has any, by the node's number
 */
public record Topology(List<BitSet> nodes) {
    private static final int MOST_PROCESSORS = 1 << 16; // more than any kernel knows

    /**
     * Reads it from Linux's sysfs.
     *
     * @param sysfs usually /sys; tests use a made-up one
     * @return the topology; one node with all available processors where nothing is told
     */
    public static Topology read(Path sysfs) {
        Path folder = sysfs.resolve("devices/system/node");
        if (!Files.isDirectory(folder)) return flat();
        try (Stream<Path> entries = Files.list(folder)) {
            List<BitSet> nodes = entries.filter(
                            entry -> entry.getFileName().toString().matches("node\\d+"))
                    .sorted((a, b) -> Integer.compare(number(a), number(b)))
                    .map(Topology::processorsOf)
                    .filter(processors -> !processors.isEmpty())
                    .toList();
            return nodes.isEmpty() ? flat() : new Topology(nodes);
        } catch (IOException | UncheckedIOException | IllegalArgumentException unreadable) {
            return flat();
        }
    }

    private static Topology flat() {
        BitSet all = new BitSet();
        all.set(0, Runtime.getRuntime().availableProcessors());
        return new Topology(List.of(all));
    }

    private static int number(Path node) {
        return Integer.parseInt(node.getFileName().toString().substring("node".length()));
    }

    private static BitSet processorsOf(Path node) {
        try {
            return parse(Files.readString(node.resolve("cpulist")).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads a list as the kernel writes it: 0-3,8,10-11. */
    static BitSet parse(String list) {
        BitSet processors = new BitSet();
        if (list.isEmpty()) return processors;
        for (String range : list.split(",", -1)) {
            String[] ends = range.split("-", -1);
            int first = Integer.parseInt(ends[0]);
            int last = ends.length == 1 ? first : Integer.parseInt(ends[1]);
            if (ends.length > 2 || last < first || last >= MOST_PROCESSORS) {
                throw new IllegalArgumentException("cpulist: " + list + " (expected: such as 0-3,8,10-11)");
            }
            processors.set(first, last + 1);
        }
        return processors;
    }

    /** The processors of a node, lowest first. */
    int[] processors(int node) {
        return nodes.get(node).stream().toArray();
    }

    /** All processors, lowest first. */
    int[] allProcessors() {
        return IntStream.range(0, nodes.size())
                .flatMap(node -> nodes.get(node).stream())
                .sorted()
                .toArray();
    }
}
