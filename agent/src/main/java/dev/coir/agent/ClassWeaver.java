package dev.coir.agent;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Weaves one class: decides which methods poll where they are entered, and has each method woven. */
final class ClassWeaver {
    /*
     * A run that never ends passes a loop's back-edge for ever or a cycle of calls for ever.
     *
     * E1. Every back-edge polls (MethodWeaver), and so does some method of every cycle of calls: each that calls out of its
     *     class or by dynamic dispatch, and each that is in a cycle of calls bound to methods of this class. The others
     *     call only methods of this class further down, or methods of the JDK that call nobody back (Calls.isHarmless).
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
            Set<String> cyclic = cyclic(plans);
            plans.forEach((key, plan) -> plan.poll(plan.callsOut() || cyclic.contains(key)));
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

    /** The methods from which bound calls inside the class lead back to themselves. */
    private static Set<String> cyclic(Map<String, MethodWeaver> plans) {
        Set<String> cyclic = new HashSet<>();
        for (String start : plans.keySet()) {
            Set<String> seen = new HashSet<>();
            Deque<String> open = new ArrayDeque<>();
            open.push(start);
            while (!open.isEmpty()) {
                MethodWeaver plan = plans.get(open.pop());
                if (plan == null) continue;
                for (String callee : plan.boundCalls()) {
                    if (callee.equals(start)) cyclic.add(start);
                    if (seen.add(callee)) open.push(callee);
                }
            }
        }
        return cyclic;
    }
}
