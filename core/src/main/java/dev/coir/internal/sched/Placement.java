package dev.coir.internal.sched;

/** Where groups and their threads are put on the machine. */
public interface Placement {
    /** Anywhere. */
    Placement ANYWHERE = new Placement() {
        @Override
        public int nodeOf(int group) {
            return 0;
        }

        @Override
        public void pin(int group, int worker) {}
    };

    /**
     * The NUMA node a group lies on.
     *
     * @param group the group's number
     * @return the node's number
     */
    int nodeOf(int group);

    /**
     * Ties the calling thread to the processors of its place, if that was asked for and works here.
     *
     * @param group the group's number
     * @param worker the worker's number in the group
     */
    void pin(int group, int worker);
}
