package io.everheap.testkit.error;

import io.everheap.testkit.error.ErrorPoints.Place;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Puts a call of {@link ErrorPoints#at} before each call and each allocation of a class, at the
 * start of each lambda, and after each call of a medium's file, which may fail after it took
 * effect. Initializers of classes are left alone: they run once, whatever becomes of a heap. So is
 * the way of a given medium and given options through a builder: until it ends, nothing but the
 * test has the medium, and could release it.
 */
public final class Instrumenter {
  private static final ClassDesc POINTS = ClassDesc.of(ErrorPoints.class.getName());
  private static final MethodTypeDesc AT =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);
  private static final String OURS = "io/everheap/";
  private static final Set<String> HANDING_OVER =
      Set.of(
          "HeapBuilder.options",
          "HeapSettings.options",
          "HeapBuilder.medium",
          "MediumSetting.medium");

  private Instrumenter() {}

  /** What changes classes; for the loader, which another loader loaded. */
  public static UnaryOperator<byte[]> instrumenter() {
    return Instrumenter::instrument;
  }

  private static byte[] instrument(byte[] bytes) {
    ClassFile files = ClassFile.of();
    ClassModel model = files.parse(bytes);
    String owner = simple(model.thisClass().asInternalName());
    ClassTransform each =
        (builder, element) -> {
          if (element instanceof MethodModel m
              && m.code().isPresent()
              && !m.methodName().equalsString(ConstantDescs.CLASS_INIT_NAME)
              && !HANDING_OVER.contains(owner + "." + m.methodName().stringValue())) {
            String method = m.methodName().stringValue();
            builder.transformMethod(
                m, MethodTransform.transformingCode(new Places(owner + "." + method)));
          } else {
            builder.with(element);
          }
        };
    return files.transformClass(model, each);
  }

  private static String simple(String internalName) {
    return internalName.substring(internalName.lastIndexOf('/') + 1);
  }

  /** The places of one method. */
  private static final class Places implements CodeTransform {
    private final String method;
    private int line;

    Places(String method) {
      this.method = method;
    }

    @Override
    public void atStart(CodeBuilder builder) {
      if (method.contains(".lambda$")) {
        check(builder, false, true, "start");
      }
    }

    @Override
    public void accept(CodeBuilder builder, CodeElement element) {
      switch (element) {
        case LineNumber number -> line = number.line();
        case InvokeInstruction call -> {
          String called = call.owner().asInternalName();
          if (HANDING_OVER.contains(simple(called) + "." + call.name().stringValue())) {
            builder.with(element);
            return;
          }
          // Methods of the JDK may allocate; our own have places of their own for that.
          check(
              builder,
              !called.startsWith(OURS),
              true,
              "call of " + simple(called) + "." + call.name().stringValue());
          builder.with(element);
          if (called.endsWith("memory/MediumFile") || called.endsWith("memory/Medium")) {
            check(builder, true, true, "return of " + call.name().stringValue());
          }
          return;
        }
        case InvokeDynamicInstruction dynamic ->
            check(builder, true, true, "dynamic " + dynamic.name().stringValue());
        case NewObjectInstruction made ->
            check(builder, true, false, "new " + simple(made.className().asInternalName()));
        case NewPrimitiveArrayInstruction _,
            NewReferenceArrayInstruction _,
            NewMultiArrayInstruction _ ->
            check(builder, true, false, "new array");
        default -> {}
      }
      builder.with(element);
    }

    private void check(CodeBuilder builder, boolean allocates, boolean calls, String what) {
      String where = method + ":" + line + ", " + what;
      int place = ErrorPoints.add(new Place(allocates, calls, where));
      builder.loadConstant(place).invokestatic(POINTS, "at", AT);
    }
  }
}
