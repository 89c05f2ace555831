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
     * E1. Every back-edge polls (MethodWeaver), and so does some method of every cycle of calls: each that calls out of its
     *     class, by dynamic dispatch, or itself, where it is entered; and one of each longer cycle of calls bound to
     *     methods of this class, before the calls that lead back to it. The others
     *     call only methods of this class further down, or methods of the JDK that at most ask the user's objects for
     *     a hash code or the like (Calls.isHarmless): a recursion through nothing but those is no deeper than the data.
     *     Besides, every method of the class that it makes a lambda or method reference of polls where it is entered: loops
     *     of the JDK, those of streams above all, call it for ever and do not poll themselves.
     *     Guarded by WeaverTest.
     * E2. Class initialisers do not poll: the JVM's own frame below pins them, so nothing could come of it.
     */
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
        Set<String> handedOut = new HashSet<>();
        for (MethodWeaver each : plans.values()) handedOut.addAll(each.handsOut());
        Set<String> atEntry = new HashSet<>();
        plans.forEach((key, plan) -> {
            if (plan.callsOut() || plan.boundCalls().contains(key) || handedOut.contains(key)) atEntry.add(key);
        });
        Set<String> polling = new HashSet<>(atEntry);
        List<Map.Entry<String, MethodWeaver>> byCalls = new ArrayList<>(plans.entrySet());
        byCalls.sort(
                Comparator.comparingInt(each -> -each.getValue().boundCalls().size()));
        for (Map.Entry<String, MethodWeaver> each : byCalls) {
            String key = each.getKey();
            MethodWeaver plan = each.getValue();
            Set<String> backTo = new HashSet<>();
            if (!polling.contains(key)) {
                for (String callee : plan.boundCalls()) if (leads(callee, key, plans, polling)) backTo.add(callee);
            }
            if (!backTo.isEmpty()) polling.add(key);
            plan.poll(atEntry.contains(key), backTo);
        }
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
            for (String callee : plan.boundCalls()) if (seen.add(callee)) open.push(callee);
        }
        return false;
    }
}
