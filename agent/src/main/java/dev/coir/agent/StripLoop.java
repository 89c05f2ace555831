package dev.coir.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.StackMapFrameInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.SimpleVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.VerificationTypeInfo;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.DiscontinuedInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A counted loop without calls, such as the JIT vectorises. It is cut into strips and polls between them: with a poll in
 * every round it could not be vectorised.
 */
final class StripLoop {
    /*
     *   head:   if (i >= limit) goto exit          head:   end = polls sleep ? MAX_VALUE : max(i + ROUNDS, i + 1)
     *           body                               strip:  if (i >= min(limit, end)) goto cut
     *           i += step                                  body
     *           goto head                                  i += step
     *   exit:                                              goto strip
     *                                              cut:    if (polls sleep) goto exit
     *                                                      if (i >= limit) goto exit
     *                                                      poll
     *                                                      goto head
     *                                              exit:
     * and mirrored for loops that count down.
     *
     * S1. i changes by the constant step alone, towards the end, so a strip ends; the max keeps it from being empty when
     *     i + ROUNDS overflows. Then each passing of the head runs the body at least once, as before.
     * S2. The limit is read by instructions without effect, so that it may be read twice. If it changes meanwhile, either
     *     answer is one that the old loop could have got.
     * S3. "end" lives in a slot of its own and is in every stack map inside; no jump from outside leads inside but to the head.
     * S4. While polls sleep, a strip is the whole loop, and the JIT sees nothing else. If they are woken just then, this one
     *     run of the loop ends without a poll.
     * Guarded by WeaverTest.
     */
    static final int ROUNDS = 1 << 14;
    static final int QUICK_ROUNDS =
            1 << 10; // between two polls of any other loop whose rounds are quick; Poll knows it
    private static final ClassDesc MATH = ClassDesc.of("java.lang.Math");
    private static final MethodTypeDesc OF_INTS =
            MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int, ConstantDescs.CD_int);

    private final int head; // indexes in the method's elements
    private final int test;
    private final int backEdge;
    private final Label headLabel;
    private final StackMapFrameInfo headFrame;
    private final int counter; // the slot of i
    private final boolean up;
    private final List<Instruction> limit; // what pushes it; empty for zero
    private final Opcode leave; // the test's own
    private final Label exit;
    private int end = -1; // the slot of the strip's end; these three are set when the head is written
    private @Nullable Label strip;
    private @Nullable Label cut;

    private StripLoop(
            int head,
            int test,
            int backEdge,
            Label headLabel,
            StackMapFrameInfo headFrame,
            int counter,
            boolean up,
            List<Instruction> limit,
            BranchInstruction leave) {
        this.head = head;
        this.test = test;
        this.backEdge = backEdge;
        this.headLabel = headLabel;
        this.headFrame = headFrame;
        this.counter = counter;
        this.up = up;
        this.limit = limit;
        this.leave = leave.opcode();
        this.exit = leave.target();
    }

    int head() {
        return head;
    }

    int test() {
        return test;
    }

    int backEdge() {
        return backEdge;
    }

    /** Whether stack maps at this place must know the strip's end. */
    boolean isInside(int place) {
        return head < place && place <= backEdge;
    }

    // ---- finding ---------------------------------------------------------------------------------------------------

    /** The loop that ends with the jump at {@code backEdge}; null when it is not of this kind. */
    static @Nullable StripLoop find(
            List<CodeElement> elements, Map<Label, Integer> places, List<StackMapFrameInfo> frames, int backEdge) {
        if (!(elements.get(backEdge) instanceof BranchInstruction jump) || !isGoto(jump.opcode())) return null;
        int head = Objects.requireNonNull(places.get(jump.target()));
        StackMapFrameInfo frame = frameAt(frames, jump.target());
        if (frame == null || !frame.stack().isEmpty()) return null;

        // The test: iload i, the limit, a jump out.
        int at = nextInstruction(elements, head);
        if (!(elements.get(at) instanceof LoadInstruction first) || first.typeKind() != TypeKind.INT) return null;
        int counter = first.slot();
        List<Instruction> limit = new ArrayList<>();
        while (true) {
            at = nextInstruction(elements, at);
            if (at >= backEdge) return null;
            if (elements.get(at) instanceof BranchInstruction) break;
            if (limit.size() == 2) return null;
            limit.add((Instruction) elements.get(at));
        }
        BranchInstruction leave = (BranchInstruction) elements.get(at);
        if (Objects.requireNonNull(places.get(leave.target())) <= backEdge) return null;

        // The step: the last instruction before the jump back.
        int last = backEdge - 1;
        while (last > at && !(elements.get(last) instanceof Instruction)) last--;
        if (!(elements.get(last) instanceof IncrementInstruction step) || step.slot() != counter) return null;

        boolean up = step.constant() > 0;
        if (step.constant() == 0 || !isSimple(limit, counter) || !canCut(leave.opcode(), limit, up)) return null;
        if (!isPlain(elements, places, head, last, backEdge, counter)) return null;
        return new StripLoop(head, at, backEdge, jump.target(), frame, counter, up, limit, leave);
    }

    static boolean isGoto(CodeElement element) {
        return element instanceof BranchInstruction jump && isGoto(jump.opcode());
    }

    private static boolean isGoto(Opcode opcode) {
        return opcode == Opcode.GOTO || opcode == Opcode.GOTO_W;
    }

    private static @Nullable StackMapFrameInfo frameAt(List<StackMapFrameInfo> frames, Label label) {
        for (StackMapFrameInfo each : frames) if (each.target().equals(label)) return each;
        return null;
    }

    private static int nextInstruction(List<CodeElement> elements, int from) {
        int at = from + 1;
        while (at < elements.size() - 1 && !(elements.get(at) instanceof Instruction)) at++;
        return at;
    }

    /** Pushes one int, without effect: a local, a constant, an array's length, a field. Nothing at all stands for zero. */
    private static boolean isSimple(List<Instruction> limit, int counter) {
        if (limit.isEmpty()) return true;
        Instruction first = limit.getFirst();
        if (limit.size() == 1) {
            return switch (first) {
                case LoadInstruction load -> load.typeKind() == TypeKind.INT && load.slot() != counter;
                case ConstantInstruction constant -> constant.constantValue() instanceof Integer;
                case FieldInstruction field ->
                    field.opcode() == Opcode.GETSTATIC && field.typeSymbol().equals(ConstantDescs.CD_int);
                default -> false;
            };
        }
        if (!(first instanceof LoadInstruction load) || load.typeKind() != TypeKind.REFERENCE) return false;
        Instruction second = limit.get(1);
        return second.opcode() == Opcode.ARRAYLENGTH
                || (second instanceof FieldInstruction field
                        && field.opcode() == Opcode.GETFIELD
                        && field.typeSymbol().equals(ConstantDescs.CD_int));
    }

    /** Loops that run while i < limit, i > limit, or i >= a constant: i cannot pass those limits by overflow. */
    private static boolean canCut(Opcode leave, List<Instruction> limit, boolean up) {
        return switch (leave) {
            case IF_ICMPGE -> up && !limit.isEmpty();
            case IFGE -> up && limit.isEmpty();
            case IF_ICMPLE -> !up && !limit.isEmpty();
            case IFLE -> !up && limit.isEmpty();
            case IFLT -> !up && limit.isEmpty();
            case IF_ICMPLT ->
                !up
                        && limit.size() == 1
                        && limit.getFirst() instanceof ConstantInstruction constant
                        && !constant.constantValue().equals(Integer.MIN_VALUE);
            default -> false;
        };
    }

    private static boolean isPlain(
            List<CodeElement> elements, Map<Label, Integer> places, int head, int step, int backEdge, int counter) {
        boolean arrays = false;
        for (int i = 0; i < elements.size(); i++) {
            CodeElement element = elements.get(i);
            boolean inside = head < i && i <= backEdge;
            for (Label target : MethodWeaver.targets(element)) {
                int place = Objects.requireNonNull(places.get(target));
                boolean leadsInside = head < place && place <= backEdge;
                if (leadsInside && (!inside || place <= i)) return false; // from outside, or a loop in the loop
            }
            if (element instanceof ExceptionCatch handler) {
                int place = Objects.requireNonNull(places.get(handler.handler()));
                if (head < place
                        && place <= backEdge
                        && (Objects.requireNonNull(places.get(handler.tryStart())) <= head
                                || Objects.requireNonNull(places.get(handler.tryEnd())) > backEdge)) return false;
            }
            if (!inside) continue;
            if (i != step && changes(element, counter)) return false;
            if (element instanceof InvokeInstruction call ? !Calls.isQuick(call) : takesLong(element)) return false;
            if (element instanceof ArrayLoadInstruction || element instanceof ArrayStoreInstruction) arrays = true;
        }
        return arrays;
    }

    static boolean changes(CodeElement element, int slot) {
        return switch (element) {
            case StoreInstruction store ->
                store.slot() == slot
                        || (store.slot() + 1 == slot && store.typeKind().slotSize() == 2);
            case IncrementInstruction increment -> increment.slot() == slot;
            default -> false;
        };
    }

    /** Whether many rounds with it might take longer than a time slice; then every round polls. */
    static boolean takesLong(CodeElement element) {
        return switch (element) {
            case InvokeInstruction call -> !Calls.isShort(call);
            case InvokeDynamicInstruction _,
                    MonitorInstruction _,
                    NewObjectInstruction _,
                    NewPrimitiveArrayInstruction _,
                    NewReferenceArrayInstruction _,
                    NewMultiArrayInstruction _,
                    DiscontinuedInstruction _ -> true;
            default -> false;
        };
    }

    // ---- writing ---------------------------------------------------------------------------------------------------

    void writeHead(CodeBuilder code, int slot, List<StackMapFrameInfo> added) {
        end = slot;
        strip = code.newLabel();
        cut = code.newLabel();
        code.labelBinding(headLabel);
        code.loadConstant(up ? Integer.MAX_VALUE : Integer.MIN_VALUE).istore(end);
        MethodWeaver.writeAsleep(code).ifne(strip);
        code.iload(counter).loadConstant(up ? ROUNDS : -ROUNDS).iadd();
        code.iload(counter).loadConstant(up ? 1 : -1).iadd();
        code.invokestatic(MATH, up ? "max" : "min", OF_INTS).istore(end);
        code.labelBinding(strip);
        added.add(with(StackMapFrameInfo.of(strip, headFrame.locals(), List.of()), end));
    }

    /** The limit is on the operand stack, unless it is zero. */
    void writeTest(CodeBuilder code) {
        Label toCut = Objects.requireNonNull(cut);
        if (limit.isEmpty()) code.iconst_0();
        boolean inclusive = leave == Opcode.IFLT || leave == Opcode.IF_ICMPLT;
        if (inclusive) code.iconst_1().isub(); // i >= c is i > c - 1
        code.iload(end).invokestatic(MATH, up ? "min" : "max", OF_INTS);
        if (up) code.if_icmpge(toCut);
        else code.if_icmple(toCut);
    }

    void writeBackEdge(CodeBuilder code, List<StackMapFrameInfo> added) {
        Label toCut = Objects.requireNonNull(cut);
        code.goto_(Objects.requireNonNull(strip));
        code.labelBinding(toCut);
        added.add(with(StackMapFrameInfo.of(toCut, headFrame.locals(), List.of()), end));
        MethodWeaver.writeAsleep(code).ifne(exit);
        code.iload(counter);
        for (Instruction each : limit) code.with(each);
        code.branch(leave, exit);
        MethodWeaver.writeStrip(code, counter);
        code.goto_(headLabel);
    }

    /** The frame with an int in a slot that none of the old code's locals reaches. */
    static StackMapFrameInfo with(StackMapFrameInfo frame, int slot) {
        List<VerificationTypeInfo> locals = new ArrayList<>(frame.locals());
        int at = 0; // in the list
        int used = 0; // slots
        for (; at < locals.size() && used < slot; at++) {
            VerificationTypeInfo each = locals.get(at);
            boolean wide = each == SimpleVerificationTypeInfo.LONG || each == SimpleVerificationTypeInfo.DOUBLE;
            used += wide ? 2 : 1;
        }
        for (; used < slot; used++) locals.add(at++, SimpleVerificationTypeInfo.TOP);
        if (at < locals.size()) locals.set(at, SimpleVerificationTypeInfo.INTEGER);
        else locals.add(SimpleVerificationTypeInfo.INTEGER);
        return StackMapFrameInfo.of(frame.target(), locals, frame.stack());
    }
}
