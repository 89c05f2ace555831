package dev.coir.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Set;

/** A call that takes or frees a lock, and how it is told to {@code boot.Locks}. */
enum LockCall {
    NONE,
    /** lock, lockInterruptibly. */
    TAKES,
    /** tryLock without a time. */
    TRIES,
    /** tryLock with a time. */
    TRIES_TIMED,
    /** unlock. */
    FREES,
    /** Takes something that has no owner, and that another thread may give back. */
    TAKES_UNKNOWN;

    private static final ClassDesc LOCKS = ClassDesc.of("dev.coir.agent.boot.Locks");
    private static final ClassDesc LOCK = ClassDesc.of("java.util.concurrent.locks.Lock");
    private static final ClassDesc TIME_UNIT = ClassDesc.of("java.util.concurrent.TimeUnit");
    private static final MethodTypeDesc OF_OBJECT = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object);
    private static final Set<String> OWNERS = Set.of(
            "java/util/concurrent/locks/Lock",
            "java/util/concurrent/locks/ReentrantLock",
            "java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock",
            "java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock",
            "dev/coir/sync/SpinLock",
            "dev/coir/sync/McsLock");

    static LockCall of(String owner, String name, String descriptor) {
        if (owner.equals("java/util/concurrent/Semaphore"))
            return name.startsWith("acquire") || name.startsWith("tryAcquire") ? TAKES_UNKNOWN : NONE;
        if (owner.equals("java/util/concurrent/locks/StampedLock"))
            return name.startsWith("read")
                            || name.startsWith("write")
                            || name.startsWith("try")
                            || name.startsWith("as")
                    ? TAKES_UNKNOWN
                    : NONE;
        if (!OWNERS.contains(owner)) return NONE;
        return switch (name) {
            case "lock", "lockInterruptibly" -> TAKES;
            case "unlock" -> FREES;
            case "tryLock" -> descriptor.equals("()Z") ? TRIES : TRIES_TIMED;
            default -> NONE;
        };
    }

    static LockCall of(InvokeInstruction call) {
        return of(
                call.owner().asInternalName(),
                call.name().stringValue(),
                call.type().stringValue());
    }

    /** Writes the call, and what tells of it. */
    void write(CodeBuilder code, InvokeInstruction call) {
        switch (this) {
            case NONE -> code.with(call);
            case TAKES -> code.dup().with(call).invokestatic(LOCKS, "taken", OF_OBJECT);
            case FREES -> code.dup().with(call).invokestatic(LOCKS, "freed", OF_OBJECT);
            case TRIES ->
                code.dup()
                        .with(call)
                        .invokestatic(
                                LOCKS,
                                "tried",
                                MethodTypeDesc.of(
                                        ConstantDescs.CD_boolean, ConstantDescs.CD_Object, ConstantDescs.CD_boolean));
            case TRIES_TIMED ->
                code.invokestatic(
                        LOCKS,
                        "tryLock",
                        MethodTypeDesc.of(ConstantDescs.CD_boolean, LOCK, ConstantDescs.CD_long, TIME_UNIT));
            case TAKES_UNKNOWN ->
                code.ldc(call.owner().asInternalName().replace('/', '.') + "."
                                + call.name().stringValue())
                        .invokestatic(
                                LOCKS, "unknown", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String))
                        .with(call);
        }
    }

    /** Tells that from here on locks may be taken unseen. */
    static void writeUnseen(CodeBuilder code) {
        code.invokestatic(LOCKS, "unseen", MethodTypeDesc.of(ConstantDescs.CD_void));
    }
}
