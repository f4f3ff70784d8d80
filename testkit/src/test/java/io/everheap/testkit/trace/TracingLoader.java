package io.everheap.testkit.trace;

import io.everheap.testkit.ChangedClasses;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/** Lets the methods of the library report to {@link CallTrace}. */
final class TracingLoader extends ChangedClasses {
  private static final ClassDesc TRACE = ClassDesc.of(CallTrace.class.getName());

  @Override
  protected byte[] change(String name, byte[] bytes) {
    return isLibrary(name) ? trace(name, bytes) : bytes;
  }

  private static byte[] trace(String name, byte[] bytes) {
    int dot = name.lastIndexOf('.');
    String owner = name.substring(0, dot) + ":" + name.substring(dot + 1) + ".";
    ClassFile files = ClassFile.of();
    ClassModel model = files.parse(bytes);
    ClassTransform each =
        (builder, element) -> {
          if (element instanceof MethodModel m
              && m.code().isPresent()
              && !m.methodName().equalsString(ConstantDescs.CLASS_INIT_NAME)) {
            builder.transformMethod(
                m,
                MethodTransform.transformingCode(
                    new Reports(owner + m.methodName().stringValue())));
          } else {
            builder.with(element);
          }
        };
    return files.transformClass(model, each);
  }

  private record Reports(String method) implements CodeTransform {
    @Override
    public void atStart(CodeBuilder builder) {
      builder
          .loadConstant(method)
          .invokestatic(
              TRACE, "enter", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String));
    }

    @Override
    public void accept(CodeBuilder builder, CodeElement element) {
      if (element instanceof ReturnInstruction) {
        builder.invokestatic(TRACE, "leave", MethodTypeDesc.of(ConstantDescs.CD_void));
      }
      builder.with(element);
    }
  }
}
