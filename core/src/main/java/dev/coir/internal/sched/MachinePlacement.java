package dev.coir.internal.sched;

import org.jspecify.annotations.Nullable;

/**
 * Groups laid over the machine's nodes in turn, and the threads of all groups of a node over its processors in turn: no
 * processor gets a second thread before every one has its first.
 *
 * @param topology the machine
 * @param groups how many groups there are
 * @param numaAware whether groups are laid over nodes; else all count as one
 * @param pinned whether threads are tied to processors
 */
public record MachinePlacement(Topology topology, int groups, boolean numaAware, boolean pinned) implements Placement {
    @Override
    public int nodeOf(int group) {
        return numaAware ? group % topology.nodes().size() : 0;
    }

    @Override
    public void pin(int group, int worker) {
        int[] processors = processorsFor(group, worker);
        if (processors != null) Affinity.pinTo(processors);
    }

    /** One processor when pinned, the node's when only NUMA-aware, null for any. */
    int @Nullable [] processorsFor(int group, int worker) {
        int nodes = numaAware ? topology.nodes().size() : 1;
        int[] processors = numaAware ? topology.processors(nodeOf(group)) : topology.allProcessors();
        if (!pinned) return nodes > 1 ? processors : null;
        int neighbours = (groups - group % nodes + nodes - 1) / nodes; // groups of the same node, this one included
        int turn = worker * neighbours + group / nodes;
        return new int[] {processors[turn % processors.length]};
    }
}
