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
     *     class or by dynamic dispatch, and one of each cycle of calls bound to methods of this class. The others
     *     call only methods of this class further down, or methods of the JDK that at most ask the user's objects for
     *     a hash code or the like (Calls.isHarmless): a recursion through nothing but those is no deeper than the data.
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
        if (polls) {
            Set<String> polling = polling(plans);
            plans.forEach((key, plan) -> plan.poll(polling));
        }
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

    /** The methods that poll where they are entered: by name and type. */
    private static Set<String> polling(Map<String, MethodWeaver> plans) {
        Set<String> polling = new HashSet<>();
        plans.forEach((key, plan) -> {
            if (plan.canPoll() && (plan.callsOut() || plan.boundCalls().contains(key))) polling.add(key);
        });
        List<Map.Entry<String, MethodWeaver>> byCalls = new ArrayList<>(plans.entrySet());
        byCalls.sort(
                Comparator.comparingInt(each -> -each.getValue().boundCalls().size()));
        for (Map.Entry<String, MethodWeaver> each : byCalls) {
            if (each.getValue().canPoll() && isInCycle(each.getKey(), plans, polling)) polling.add(each.getKey());
        }
        return polling;
    }

    /** Whether bound calls lead from a method back to it, without passing one that polls. */
    private static boolean isInCycle(String start, Map<String, MethodWeaver> plans, Set<String> polling) {
        if (polling.contains(start)) return false;
        Set<String> seen = new HashSet<>();
        Deque<String> open = new ArrayDeque<>();
        open.push(start);
        while (!open.isEmpty()) {
            MethodWeaver plan = plans.get(open.pop());
            if (plan == null) continue;
            for (String callee : plan.boundCalls()) {
                if (callee.equals(start)) return true;
                if (!polling.contains(callee) && seen.add(callee)) open.push(callee);
            }
        }
        return false;
    }
}
