package dev.coir.agent;

import java.lang.classfile.ClassFile;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/** A class whose one method is as long as a method may be: with a poll more it would be too long. */
final class Huge {
    private Huge() {}

    static byte[] bytes() {
        var type = MethodTypeDesc.of(ConstantDescs.CD_void);
        return ClassFile.of()
                .build(
                        ClassDesc.of("com.acme.Huge"),
                        builder -> builder.withMethodBody(
                                "run", type, ClassFile.ACC_STATIC | ClassFile.ACC_PUBLIC, code -> {
                                    Label head = code.newBoundLabel();
                                    for (int i = 0; i < 65_526; i++) code.nop();
                                    code.goto_w(head);
                                }));
    }
}
