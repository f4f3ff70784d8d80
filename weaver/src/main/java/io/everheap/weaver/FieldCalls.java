package io.everheap.weaver;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import org.jspecify.annotations.Nullable;

/**
 * Replaces reads and writes of fields that live in the heap by calls of their accessor methods.
 * Operands and results on the stack are the same. Used by one thread, for one class.
 */
final class FieldCalls implements CodeTransform {
  private final ClassIndex index;
  private @Nullable String problem;

  FieldCalls(ClassIndex index) {
    this.index = index;
  }

  /** Why the class cannot be woven; null if it can. */
  @Nullable String problem() {
    return problem;
  }

  void refuse(String why) {
    if (problem == null) {
      problem = why;
    }
  }

  /** Whether an instruction uses a field that lives in the heap. */
  boolean isCall(FieldInstruction field) {
    return (field.opcode() == Opcode.GETFIELD || field.opcode() == Opcode.PUTFIELD)
        && index.isPersistent(
            field.owner().asInternalName(), field.name().stringValue(), field.type().stringValue());
  }

  @Override
  public void accept(CodeBuilder builder, CodeElement element) {
    if (!(element instanceof FieldInstruction field) || !isCall(field)) {
      builder.with(element);
      return;
    }
    ClassDesc owner = field.owner().asSymbol();
    ClassDesc type = field.typeSymbol();
    String name = field.name().stringValue();
    if (field.opcode() == Opcode.GETFIELD) {
      builder.invokevirtual(owner, Names.GETTER + name, MethodTypeDesc.of(type));
    } else {
      builder.invokevirtual(
          owner, Names.SETTER + name, MethodTypeDesc.of(ConstantDescs.CD_void, type));
    }
  }
}
