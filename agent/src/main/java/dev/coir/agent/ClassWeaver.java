package dev.coir.agent;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Weaves one class: decides which methods poll where they are entered, and has each method woven. */
final class ClassWeaver {
    /*
     * A run that never ends passes a loop's back-edge for ever or a cycle of calls for ever.
     *
     * E1. Every back-edge polls (MethodWeaver, LoopPolls), and so does every cycle of calls. A cycle that stays in the class,
     *     by bound calls alone, polls in one of its methods: before the calls that lead back to it, so that calls which
     *     end without going deeper do not poll; or where it is entered, if there are many such calls, or one in a loop.
     *     A cycle that leaves the class comes back by a call out of some method: so each method that calls another class,
     *     or by dynamic dispatch, polls where it is entered. The others call only methods of this class further down, or
     *     methods of the JDK that at most ask the user's objects for a hash code or the like (Calls.isHarmless): a
     *     recursion through nothing but those is no deeper than the data.
     *     Besides, every method of the class that it makes a lambda or method reference of polls where it is entered: loops
     *     of the JDK, those of streams above all, call it for ever and do not poll themselves.
     *     Guarded by WeaverTest.
     * E2. Class initialisers do not poll: the JVM's own frame below pins them, so nothing could come of it.
     */
    private static final int MOST_PLACES = 2; // a poll is three bytes of code, and the JIT inlines by length
    private static final int QUICK_BYTES = 300;
    private static final int TOO_LONG = 1_000_000;

    private ClassWeaver() {}

    /** The woven class; null when nothing is to be done. */
    static byte @Nullable [] weave(ClassFile classFile, ClassModel original, boolean polls) {
        Map<String, MethodWeaver> plans = new HashMap<>();
        for (MethodModel method : original.methods()) {
            CodeModel code = method.code().orElse(null);
            if (code != null) plans.put(key(method), new MethodWeaver(original, method, code));
        }
        if (polls) plan(plans);
        if (plans.values().stream().noneMatch(MethodWeaver::changes)) return null;
        return classFile.transformClass(original, (builder, element) -> {
            MethodWeaver plan = element instanceof MethodModel method ? plans.get(key(method)) : null;
            if (plan == null || !plan.changes()) {
                builder.with(element);
            } else {
                builder.transformMethod((MethodModel) element, (inMethod, part) -> {
                    if (part instanceof CodeModel) inMethod.withCode(plan::write);
                    else inMethod.with(part);
                });
            }
        });
    }

    static String key(MethodModel method) {
        return method.methodName().stringValue() + method.methodType().stringValue();
    }

    /** Whether a call of this method always reaches this method. */
    static boolean isBound(ClassModel owner, MethodModel method) {
        return method.flags().has(AccessFlag.STATIC)
                || method.flags().has(AccessFlag.PRIVATE)
                || method.flags().has(AccessFlag.FINAL)
                || owner.flags().has(AccessFlag.FINAL)
                || method.methodName().equalsString("<init>");
    }

    /** Decides who polls at entry and who before which call, and has each method plan its loops. */
    private static void plan(Map<String, MethodWeaver> plans) {
        Set<String> atEntry = new HashSet<>();
        for (MethodWeaver each : plans.values()) atEntry.addAll(each.handsOut());
        plans.forEach((key, plan) -> {
            if (plan.callsOut()) atEntry.add(key);
        });
        Set<String> polling = new HashSet<>(atEntry);
        Set<String> quick = quick(plans);
        List<Map.Entry<String, MethodWeaver>> byCalls = new ArrayList<>(plans.entrySet());
        byCalls.sort(
                Comparator.comparingInt(each -> -each.getValue().boundCalls().size()));
        for (Map.Entry<String, MethodWeaver> each : byCalls) {
            String key = each.getKey();
            MethodWeaver plan = each.getValue();
            Set<String> backTo = new HashSet<>();
            int places = 0;
            if (!polling.contains(key)) {
                for (Map.Entry<String, Integer> callee : plan.boundCalls().entrySet()) {
                    if (!leads(callee.getKey(), key, plans, polling)) continue;
                    backTo.add(callee.getKey());
                    places += callee.getValue();
                }
            }
            if (!backTo.isEmpty()) polling.add(key);
            if (places > MOST_PLACES || plan.callsInLoop(backTo)) {
                atEntry.add(key);
                backTo.clear();
            }
            plan.poll(atEntry.contains(key), backTo, quick);
        }
    }

    /** The methods without loops that call nothing but each other, and are short in all. */
    private static Set<String> quick(Map<String, MethodWeaver> plans) {
        Map<String, Integer> lengths = new HashMap<>();
        for (String each : plans.keySet()) lengthOf(each, plans, lengths);
        lengths.values().removeIf(each -> each > QUICK_BYTES);
        return lengths.keySet();
    }

    /** The bytes of code that a call runs at most, or more than counts. */
    private static int lengthOf(String method, Map<String, MethodWeaver> plans, Map<String, Integer> known) {
        Integer before = known.putIfAbsent(method, TOO_LONG); // which a recursion then finds
        if (before != null) return before;
        MethodWeaver plan = plans.get(method);
        if (plan == null || plan.callsOut()) return TOO_LONG;
        int length = plan.straightLength();
        if (length < 0) return TOO_LONG;
        for (Map.Entry<String, Integer> each : plan.boundCalls().entrySet())
            length = Math.min(TOO_LONG, length + each.getValue() * lengthOf(each.getKey(), plans, known));
        known.put(method, length);
        return length;
    }

    /** Whether bound calls lead from a method to another, without passing one that polls. */
    private static boolean leads(String from, String to, Map<String, MethodWeaver> plans, Set<String> polling) {
        Set<String> seen = new HashSet<>();
        Deque<String> open = new ArrayDeque<>();
        open.push(from);
        while (!open.isEmpty()) {
            String each = open.pop();
            if (each.equals(to)) return true;
            MethodWeaver plan = plans.get(each);
            if (plan == null || polling.contains(each)) continue;
            for (String callee : plan.boundCalls().keySet()) if (seen.add(callee)) open.push(callee);
        }
        return false;
    }
}
