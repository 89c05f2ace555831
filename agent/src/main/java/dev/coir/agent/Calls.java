package dev.coir.agent;

import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What is known of a call by its name. */
final class Calls {
    /** Their methods that take primitive values alone are a few instructions. */
    private static final Set<String> OF_NUMBERS = Set.of(
            "java/lang/Math",
            "java/lang/StrictMath",
            "java/lang/Character",
            "java/lang/Integer",
            "java/lang/Long",
            "java/lang/Short",
            "java/lang/Byte",
            "java/lang/Boolean",
            "java/lang/Float",
            "java/lang/Double");

    private static final Set<String> OTHER_LEAVES =
            Set.of("java/lang/String", "java/lang/StringBuilder", "java/util/Arrays");

    /** At most they ask a key for its hash code or whether it equals another. */
    private static final Set<String> OF_COLLECTIONS = Set.of(
            "size",
            "isEmpty",
            "get",
            "getFirst",
            "getLast",
            "set",
            "add",
            "put",
            "contains",
            "containsKey",
            "getOrDefault",
            "iterator",
            "hasNext",
            "next",
            "push",
            "pop",
            "peek",
            "poll",
            "clear",
            "getKey",
            "getValue");

    private static final Set<String> PLAIN_TYPES = Set.of(
            "Ljava/lang/String;",
            "Ljava/lang/StringBuilder;",
            "Ljava/lang/Integer;",
            "Ljava/lang/Long;",
            "Ljava/lang/Character;",
            "Ljava/lang/Double;");
    private static final Set<String> QUICK_MATH =
            Set.of("abs", "min", "max", "sqrt", "fma", "addExact", "subtractExact", "multiplyExact", "signum", "clamp");

    private static final Set<String> SHORT_OF_STRING = Set.of("charAt", "length", "isEmpty");
    private static final Set<String> SHORT_OF_BUILDER = Set.of("charAt", "length", "isEmpty", "append", "setCharAt");

    private Calls() {}

    /** Whether a call into the JDK ends soon and calls nobody back. */
    static boolean isHarmless(InvokeInstruction call) {
        String owner = call.owner().asInternalName();
        String name = call.name().stringValue();
        if (name.equals("<init>")) return isHarmlessToMake(owner, call.typeSymbol());
        if (name.equals("clone") && owner.startsWith("[")) return true;
        if (owner.equals("java/util/Objects")) return name.equals("requireNonNull") || name.equals("checkIndex");
        if (owner.equals("java/lang/System"))
            return name.equals("arraycopy") || name.equals("nanoTime") || name.equals("currentTimeMillis");
        if (owner.startsWith("java/util/") && owner.indexOf('/', 10) < 0 && OF_COLLECTIONS.contains(name)) return true;
        return isLeaf(owner) && takesPlainValues(call.typeSymbol());
    }

    private static boolean isHarmlessToMake(String owner, MethodTypeDesc type) {
        if (!owner.startsWith("java/")) return false;
        return owner.equals("java/lang/Object")
                || owner.endsWith("Exception")
                || owner.endsWith("Error")
                || (takesPlainValues(type) && (owner.startsWith("java/util/") || isLeaf(owner)));
    }

    private static boolean isLeaf(String owner) {
        return OF_NUMBERS.contains(owner) || OTHER_LEAVES.contains(owner);
    }

    /** Whether a call is a few instructions when compiled, so that a loop around it may be vectorised. */
    static boolean isQuick(InvokeInstruction call) {
        String owner = call.owner().asInternalName();
        return (owner.equals("java/lang/Math") || owner.equals("java/lang/StrictMath"))
                && QUICK_MATH.contains(call.name().stringValue());
    }

    /** Whether a call into a final class of the JDK takes the time of a few instructions, whatever its arguments are. */
    static boolean isShort(InvokeInstruction call) {
        String owner = call.owner().asInternalName();
        return switch (owner) {
            case "java/lang/String" -> SHORT_OF_STRING.contains(call.name().stringValue());
            case "java/lang/StringBuilder" ->
                SHORT_OF_BUILDER.contains(call.name().stringValue()) && takesPrimitives(call.typeSymbol());
            default -> OF_NUMBERS.contains(owner) && takesPrimitives(call.typeSymbol());
        };
    }

    private static boolean takesPrimitives(MethodTypeDesc type) {
        for (ClassDesc each : type.parameterList()) if (!each.isPrimitive()) return false;
        return true;
    }

    /** Whether it makes a lambda, or joins strings and numbers: neither calls the user's code. */
    static boolean isHarmless(InvokeDynamicInstruction call) {
        String factory = call.bootstrapMethod().owner().descriptorString();
        return switch (factory) {
            case "Ljava/lang/invoke/LambdaMetafactory;" -> true;
            case "Ljava/lang/invoke/StringConcatFactory;" -> takesPlainValues(call.typeSymbol());
            default -> false;
        };
    }

    private static boolean takesPlainValues(MethodTypeDesc type) {
        for (ClassDesc each : type.parameterList()) {
            ClassDesc element = each;
            while (element.isArray()) element = element.componentType();
            if (!element.isPrimitive() && !PLAIN_TYPES.contains(element.descriptorString())) return false;
        }
        return true;
    }

    /** Whether it makes a method reference to something that takes a lock, so that the lock would be taken unseen. */
    static boolean refersToLock(InvokeDynamicInstruction call) {
        for (DirectMethodHandleDesc handle : handedOut(call)) {
            String owner = handle.owner().descriptorString();
            String internal = owner.startsWith("L") ? owner.substring(1, owner.length() - 1) : owner;
            if (LockCall.of(internal, handle.methodName(), handle.lookupDescriptor()) != LockCall.NONE) return true;
        }
        return false;
    }

    /** The methods that others can call by what it makes. */
    static List<DirectMethodHandleDesc> handedOut(InvokeDynamicInstruction call) {
        List<DirectMethodHandleDesc> all = new ArrayList<>();
        for (ConstantDesc each : call.bootstrapArgs()) {
            if (each instanceof DirectMethodHandleDesc handle) all.add(handle);
        }
        return all;
    }
}
