package dev.coir.internal.sched;

import org.jspecify.annotations.Nullable;

/**
 * Groups laid over the machine's nodes in turn, and threads over a node's processors in turn.
 *
 * @param topology the machine
 * @param numaAware whether groups are laid over nodes; else all count as one
 * @param pinned whether threads are tied to processors
 */
public record MachinePlacement(Topology topology, boolean numaAware, boolean pinned) implements Placement {
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
        int[] processors = numaAware ? topology.processors(nodeOf(group)) : topology.allProcessors();
        if (pinned) return new int[] {processors[worker % processors.length]};
        return numaAware && topology.nodes().size() > 1 ? processors : null;
    }
}
