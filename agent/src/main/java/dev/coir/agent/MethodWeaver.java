package dev.coir.agent;

import dev.coir.agent.LoopPolls.LoopPoll;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.attribute.StackMapFrameInfo;
import java.lang.classfile.attribute.StackMapTableAttribute;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.DiscontinuedInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One method: what its code does, where it polls, and its code with the polls. */
final class MethodWeaver {
    /*
     * A poll is a call without result; where loops have no counter of their own, a local that is added counts their rounds
     * (LoopPolls). That needs no new stack map, only this one int in each of the old ones. So nothing has to be known of the class hierarchy: no class is
     * loaded or looked up to weave another.
     * Counted loops without calls are cut into strips (StripLoop), which needs maps, made from the old.
     */
    private static final ClassDesc POLL = ClassDesc.of("dev.coir.agent.boot.Poll");
    private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(ConstantDescs.CD_void);
    private static final MethodTypeDesc BOOLEAN = MethodTypeDesc.of(ConstantDescs.CD_boolean);
    private static final MethodTypeDesc OF_INT = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

    private final List<CodeElement> elements;
    private final List<StackMapFrameInfo> frames;
    private final Map<Label, Integer> places = new HashMap<>(); // of each label, its index in elements
    private final Map<String, Integer> boundCalls = new HashMap<>(); // and at how many places
    private final Set<String> handsOut = new HashSet<>();
    private final Map<Integer, LoopPoll> loopPolls = new HashMap<>(); // by the index in elements that they stand before
    private final Set<Integer> pollBeforeCall = new HashSet<>(); // indexes in elements
    private final Map<Integer, StripLoop> strips = new HashMap<>(); // by the index of the head's label
    private final String ownName;
    private final ClassDesc ownClass;
    private final boolean initialiser;
    private final boolean guarded;
    private final int length;
    private final int maxLocals;
    private final boolean framed;
    private boolean callsOut;
    private boolean locks;
    private boolean pollAtEntry;

    MethodWeaver(ClassModel owner, MethodModel method, CodeModel code) {
        // The maps first: reading them makes labels, which are then among the elements.
        this.frames = code.findAttribute(Attributes.stackMapTable())
                .map(StackMapTableAttribute::entries)
                .orElse(List.of());
        this.elements = code.elementList();
        this.initialiser = method.methodName().equalsString("<clinit>");
        this.guarded = method.flags().has(AccessFlag.SYNCHRONIZED);
        this.length = ((CodeAttribute) code).codeLength();
        this.maxLocals = ((CodeAttribute) code).maxLocals();
        this.framed = owner.majorVersion() >= ClassFile.JAVA_7_VERSION;
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i) instanceof LabelTarget label) places.put(label.label(), i);
        }
        Map<String, Boolean> own = new HashMap<>();
        for (MethodModel each : owner.methods()) own.put(ClassWeaver.key(each), ClassWeaver.isBound(owner, each));
        this.ownName = owner.thisClass().asInternalName();
        this.ownClass = owner.thisClass().asSymbol();
        for (CodeElement each : elements) lookAt(each, own);
    }

    private void lookAt(CodeElement element, Map<String, Boolean> own) {
        switch (element) {
            case InvokeInstruction call -> {
                String key = keyOf(call);
                if (LockCall.of(call) != LockCall.NONE) locks = true;
                if (isOfThisClass(call) && own.getOrDefault(key, false)) boundCalls.merge(key, 1, Integer::sum);
                else if (!Calls.isHarmless(call)) callsOut = true;
            }
            case InvokeDynamicInstruction call -> {
                if (Calls.refersToLock(call)) locks = true;
                if (!Calls.isHarmless(call)) callsOut = true;
                for (DirectMethodHandleDesc each : Calls.handedOut(call)) {
                    if (each.owner().equals(ownClass)) handsOut.add(each.methodName() + each.lookupDescriptor());
                }
            }
            default -> {}
        }
    }

    private static String keyOf(InvokeInstruction call) {
        return call.name().stringValue() + call.type().stringValue();
    }

    private boolean isOfThisClass(InvokeInstruction call) {
        return call.owner().asInternalName().equals(ownName);
    }

    /** Whether it calls what may call it back. */
    boolean callsOut() {
        return callsOut;
    }

    /** The methods of its class that it calls without dynamic dispatch, by name and type; and at how many places. */
    Map<String, Integer> boundCalls() {
        return boundCalls;
    }

    /** The methods of its class that it makes lambdas or method references of, by name and type. */
    Set<String> handsOut() {
        return handsOut;
    }

    /** The bytes of its code; -1 when it has loops, or does anything that may take long but for bound calls. */
    int straightLength() {
        if (guarded) return -1;
        for (int i = 0; i < elements.size(); i++) {
            if (isBackEdge(i) || (StripLoop.takesLong(elements.get(i)) && !isBoundCall(i))) return -1;
        }
        return length;
    }

    private boolean isBoundCall(int i) {
        return elements.get(i) instanceof InvokeInstruction call
                && isOfThisClass(call)
                && boundCalls.containsKey(keyOf(call));
    }

    /** Whether one of the calls of these methods stands in a loop. */
    boolean callsInLoop(Set<String> methods) {
        if (methods.isEmpty()) return false;
        for (int i = 0; i < elements.size(); i++) {
            for (Label target : targets(elements.get(i))) {
                for (int at = place(target); at < i; at++) {
                    if (isBoundCall(at) && methods.contains(keyOf((InvokeInstruction) elements.get(at)))) return true;
                }
            }
        }
        return false;
    }

    /**
     * Plans the polls: those of the loops, and others.
     *
     * @param atEntry whether it polls where it is entered
     * @param callsBack before calls of which methods of this class it polls
     * @param quick which methods of this class take no time worth speaking of
     */
    void poll(boolean atEntry, Set<String> callsBack, Set<String> quick) {
        if (initialiser) return;
        pollAtEntry = atEntry;
        Set<Integer> before = new HashSet<>();
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i) instanceof ExceptionCatch handler
                    && place(handler.handler()) <= place(handler.tryStart())) before.add(place(handler.handler()) + 1);
            if (isBackEdge(i)) before.add(i);
            if (isBoundCall(i) && callsBack.contains(keyOf((InvokeInstruction) elements.get(i)))) pollBeforeCall.add(i);
        }
        if (framed) {
            for (int i : List.copyOf(before)) {
                StripLoop loop = StripLoop.find(elements, places, frames, i);
                if (loop != null) {
                    before.remove(i);
                    strips.put(loop.head(), loop);
                }
            }
        }
        loopPolls.putAll(new LoopPolls(elements, places, i -> takesLong(i, quick), strips.keySet()).plan(before));
    }

    private boolean takesLong(int i, Set<String> quick) {
        if (isBoundCall(i) && quick.contains(keyOf((InvokeInstruction) elements.get(i)))) return false;
        return StripLoop.takesLong(elements.get(i));
    }

    private boolean isBackEdge(int i) {
        for (Label target : targets(elements.get(i))) if (place(target) < i) return true;
        return false;
    }

    private int place(Label label) {
        Integer place = places.get(label);
        if (place == null) throw new IllegalArgumentException("a jump to nowhere");
        return place;
    }

    static List<Label> targets(CodeElement element) {
        return switch (element) {
            case BranchInstruction branch -> List.of(branch.target());
            case TableSwitchInstruction table -> cases(table.defaultTarget(), table.cases());
            case LookupSwitchInstruction lookup -> cases(lookup.defaultTarget(), lookup.cases());
            case DiscontinuedInstruction.JsrInstruction jsr -> List.of(jsr.target());
            default -> List.of();
        };
    }

    private static List<Label> cases(Label otherwise, List<SwitchCase> cases) {
        List<Label> all = new ArrayList<>();
        all.add(otherwise);
        for (SwitchCase each : cases) all.add(each.target());
        return all;
    }

    /** Whether the woven code differs from the old. */
    boolean changes() {
        return locks || pollAtEntry || !loopPolls.isEmpty() || !pollBeforeCall.isEmpty() || !strips.isEmpty();
    }

    /** Writes the woven code. */
    void write(CodeBuilder code) {
        if (pollAtEntry) code.invokestatic(POLL, "here", NOTHING);
        if (counts()) code.iconst_0().istore(rounds());
        List<StackMapFrameInfo> added = new ArrayList<>();
        StripLoop loop = null;
        for (int i = 0; i < elements.size(); i++) {
            CodeElement element = elements.get(i);
            LoopPoll poll = loopPolls.get(i);
            if (poll != null) writeRound(code, poll, element);
            if (pollBeforeCall.contains(i)) code.invokestatic(POLL, "here", NOTHING);
            if (element instanceof StackMapTableAttribute) continue;
            if (strips.containsKey(i)) {
                loop = strips.get(i);
                loop.writeHead(code, rounds() + 1, added);
            } else if (loop != null && i == loop.test()) {
                loop.writeTest(code);
            } else if (loop != null && i == loop.backEdge()) {
                loop.writeBackEdge(code, added);
                loop = null;
            } else if (locks && element instanceof InvokeInstruction call) {
                LockCall.of(call).write(code, call);
            } else {
                if (locks && element instanceof InvokeDynamicInstruction call && Calls.refersToLock(call))
                    LockCall.writeUnseen(code);
                code.with(element);
            }
        }
        writeFrames(code, added);
    }

    private void writeFrames(CodeBuilder code, List<StackMapFrameInfo> added) {
        List<StackMapFrameInfo> all = new ArrayList<>(added);
        for (StackMapFrameInfo each : frames) {
            int place = place(each.target());
            StackMapFrameInfo frame = each;
            for (StripLoop loop : strips.values()) if (loop.isInside(place)) frame = StripLoop.with(each, rounds() + 1);
            all.add(frame);
        }
        if (counts()) all.replaceAll(each -> StripLoop.with(each, rounds()));
        if (!all.isEmpty()) code.with(StackMapTableAttribute.of(all));
    }

    private boolean counts() {
        return loopPolls.values().stream().anyMatch(each -> each.counter() == LoopPolls.ADDED);
    }

    /** The slot of the number of rounds, and behind it that of a strip's end. */
    private int rounds() {
        return maxLocals;
    }

    private void writeRound(CodeBuilder code, LoopPoll poll, CodeElement jump) {
        if (poll.counter() != LoopPolls.ADDED) {
            code.iload(poll.counter());
        } else {
            if (poll.seldom() && StripLoop.isGoto(jump))
                writeAsleep(code).ifne(((BranchInstruction) jump).target()); // then not even the rounds are counted
            code.iinc(rounds(), 1).iload(rounds());
        }
        code.invokestatic(POLL, poll.seldom() ? "seldom" : "here", OF_INT);
    }

    /** Pushes whether nobody has ever asked. */
    static CodeBuilder writeAsleep(CodeBuilder code) {
        return code.invokestatic(POLL, "asleep", BOOLEAN);
    }

    /** Between two strips; the loop's own counter tells how far it has come. */
    static void writeStrip(CodeBuilder code, int counter) {
        code.iload(counter).invokestatic(POLL, "strip", OF_INT);
    }
}
