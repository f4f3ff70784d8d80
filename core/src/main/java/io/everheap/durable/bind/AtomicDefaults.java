package io.everheap.durable.bind;

import io.everheap.durable.Atomic;
import io.everheap.durable.runtime.AtomicCalls;
import io.everheap.durable.runtime.DurableObject;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/** Generates overrides of atomic {@code default} methods that run them in transactions. */
final class AtomicDefaults {
  private static final ClassDesc CALLS = AtomicCalls.class.describeConstable().orElseThrow();
  private static final ClassDesc BASE = DurableObject.class.describeConstable().orElseThrow();
  private static final MethodTypeDesc OF = MethodTypeDesc.of(ConstantDescs.CD_void, BASE);
  private static final MethodTypeDesc OF_CAUSE =
      MethodTypeDesc.of(ConstantDescs.CD_void, BASE, ConstantDescs.CD_Throwable);

  private AtomicDefaults() {}

  /**
   * Returns the message for the first method that must not be {@code @Atomic}; null if there is
   * none.
   */
  static @Nullable String problem(Class<?> type) {
    for (Method method : type.getDeclaredMethods()) {
      boolean cannot =
          Modifier.isStatic(method.getModifiers()) || Modifier.isPrivate(method.getModifiers());
      if (cannot && method.isAnnotationPresent(Atomic.class)) {
        return "The durable interface "
            + type.getName()
            + " has the method "
            + method
            + ": only default methods can be @Atomic; use Heap.transact";
      }
    }
    for (Class<?> extended : type.getInterfaces()) {
      String problem = problem(extended);
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  static void add(ClassBuilder builder, Class<?> type) {
    for (Method method : type.getMethods()) {
      if (method.isDefault()
          && (method.isAnnotationPresent(Atomic.class)
              || method.getDeclaringClass().isAnnotationPresent(Atomic.class))) {
        MethodTypeDesc desc =
            MethodTypeDesc.ofDescriptor(
                MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                    .descriptorString());
        builder.withMethodBody(
            method.getName(),
            desc,
            ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL,
            code -> call(code, type, method.getName(), desc));
      }
    }
  }

  private static void call(CodeBuilder code, Class<?> type, String name, MethodTypeDesc desc) {
    Label from = code.newLabel();
    Label to = code.newLabel();
    Label failed = code.newLabel();
    code.aload(0).invokestatic(CALLS, "begin", OF).labelBinding(from).aload(0);
    int slot = 1;
    for (ClassDesc parameter : desc.parameterList()) {
      TypeKind kind = TypeKind.from(parameter);
      code.loadLocal(kind, slot);
      slot += kind.slotSize();
    }
    code.invokespecial(type.describeConstable().orElseThrow(), name, desc, true)
        .labelBinding(to)
        .aload(0)
        .invokestatic(CALLS, "commit", OF)
        .return_(TypeKind.from(desc.returnType()))
        .labelBinding(failed)
        .astore(slot)
        .aload(0)
        .aload(slot)
        .invokestatic(CALLS, "rollback", OF_CAUSE)
        .aload(slot)
        .athrow()
        .exceptionCatchAll(from, to, failed);
  }
}
