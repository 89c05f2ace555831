package dev.coir.agent;

import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;

/** Decides how the loops of a method poll that are not cut into strips: in every round or seldom, and what counts rounds. */
final class LoopPolls {
    /*
     * A way from a loop's head to its back-edge that makes no jump back lies between the two, in the order of the code. So
     * what stands there is all that a round can do, but for rounds of loops inside, which pass back-edges of their own.
     *
     * L1. A poll in every round reads another cell in each (see Poll): it passes a number that changes on every way to it.
     *     That is the loop's own counter if there is one, stepped just before the back-edge and nowhere else in the loop;
     *     else a local that is added to the method, and stepped by the poll.
     * L2. A loop of quick rounds polls in one of 1 024: when the number is a multiple of it. A nest of such loops counts in
     *     the added local, each step of which is looked at, so that it does not matter which of them goes round. A loop
     *     that is no part of a nest may use its own counter. Strips do not count, so a loop around them polls in every round.
     * Guarded by WeaverTest.
     */

    /** Stands for the local that is added to the method. */
    static final int ADDED = -1;

    /**
     * How one jump back polls.
     *
     * @param seldom whether most rounds may be let through
     * @param counter the slot of what changes from round to round, or {@link #ADDED}
     */
    record LoopPoll(boolean seldom, int counter) {}

    private final List<CodeElement> elements;
    private final Map<Label, Integer> places;
    private final IntPredicate takesLong;
    private final Set<Integer> strips;

    /**
     * For one method.
     *
     * @param places of each label, its index in elements
     * @param takesLong of an index, whether many rounds with what stands there might take longer than a time slice
     * @param strips the indexes of the heads of loops that are cut into strips
     */
    LoopPolls(List<CodeElement> elements, Map<Label, Integer> places, IntPredicate takesLong, Set<Integer> strips) {
        this.elements = elements;
        this.places = places;
        this.takesLong = takesLong;
        this.strips = strips;
    }

    /** How to poll before each of these elements, which are jumps back or the beginnings of handlers that loop. */
    Map<Integer, LoopPoll> plan(Set<Integer> before) {
        Set<Integer> quick = new HashSet<>();
        for (int each : before) if (isQuick(each)) quick.add(each);
        Map<Integer, LoopPoll> polls = new HashMap<>();
        for (int each : before) {
            boolean seldom = quick.contains(each);
            boolean inNest =
                    seldom && (!isInnermost(each, before) || quick.stream().anyMatch(around -> isInside(each, around)));
            polls.put(each, new LoopPoll(seldom, inNest ? ADDED : counterOf(each)));
        }
        return polls;
    }

    private boolean isInside(int place, int backEdge) {
        return place < backEdge && head((BranchInstruction) elements.get(backEdge)) < place;
    }

    private int head(BranchInstruction backEdge) {
        return Objects.requireNonNull(places.get(backEdge.target()));
    }

    private int counterOf(int backEdge) {
        if (!StripLoop.isGoto(elements.get(backEdge))) return ADDED;
        int last = backEdge - 1;
        while (last > 0 && !(elements.get(last) instanceof Instruction)) {
            if (elements.get(last) instanceof LabelTarget) return ADDED; // another way leads to the jump
            last--;
        }
        if (!(elements.get(last) instanceof IncrementInstruction step) || Math.abs(step.constant()) != 1) return ADDED;
        for (int i = head((BranchInstruction) elements.get(backEdge)); i < last; i++)
            if (StripLoop.changes(elements.get(i), step.slot())) return ADDED;
        return step.slot();
    }

    private boolean isQuick(int backEdge) {
        if (!(elements.get(backEdge) instanceof BranchInstruction jump)) return false;
        for (int i = head(jump); i < backEdge; i++) if (takesLong.test(i) || strips.contains(i)) return false;
        return true;
    }

    /** Whether no other jump leads back to the same head, or to one in between. */
    private boolean isInnermost(int backEdge, Set<Integer> all) {
        int head = head((BranchInstruction) elements.get(backEdge));
        for (int each : all) {
            if (each == backEdge) continue;
            if (head < each && each < backEdge) return false;
            for (Label target : MethodWeaver.targets(elements.get(each)))
                if (Objects.equals(places.get(target), head)) return false;
        }
        return true;
    }
}
