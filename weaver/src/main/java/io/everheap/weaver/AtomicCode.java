package io.everheap.weaver;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns the body of a method into a transaction: begins it at the start, commits before each
 * return, and rolls back if an exception leaves the method. The body stays in its method, so that
 * stack traces do not change. Used by one thread, for one method.
 */
final class AtomicCode implements CodeTransform {
  private static final MethodTypeDesc OF = MethodTypeDesc.of(ConstantDescs.CD_void, Names.BASE);
  private static final MethodTypeDesc OF_CAUSE =
      MethodTypeDesc.of(ConstantDescs.CD_void, Names.BASE, ConstantDescs.CD_Throwable);
  private static final MethodTypeDesc FIRST =
      MethodTypeDesc.of(Names.BASE, ConstantDescs.CD_Object.arrayType());

  /** The range in which an exception rolls back. */
  private record Range(Label from, Label to) {}

  private final MethodModel method;
  private final ClassIndex index;
  private final List<Range> ranges = new ArrayList<>();
  private int slot;
  private @Nullable Label from;

  AtomicCode(MethodModel method, ClassIndex index) {
    this.method = method;
    this.index = index;
  }

  /** Whether a method is atomic, by itself or by its class. */
  static boolean isAtomic(ClassModel model, MethodModel method) {
    int no =
        ClassFile.ACC_PRIVATE
            | ClassFile.ACC_STATIC
            | ClassFile.ACC_ABSTRACT
            | ClassFile.ACC_NATIVE
            | ClassFile.ACC_SYNTHETIC;
    return ClassFacts.has(method, Names.ATOMIC)
        ? (method.flags().flagsMask() & ClassFile.ACC_ABSTRACT) == 0
        : (method.flags().flagsMask() & no) == 0 && ClassFacts.has(model, Names.ATOMIC);
  }

  /** Whether an argument of this type can be an object of a heap. */
  static boolean isObject(ClassDesc type, ClassIndex index) {
    if (!type.isClassOrInterface()) {
      return false;
    }
    String descriptor = type.descriptorString();
    return index.isDurable(descriptor.substring(1, descriptor.length() - 1));
  }

  @Override
  public void atStart(CodeBuilder code) {
    slot = code.allocateLocal(TypeKind.REFERENCE);
    if ((method.flags().flagsMask() & ClassFile.ACC_STATIC) == 0) {
      code.aload(0);
    } else {
      loadFirst(code);
    }
    code.dup().astore(slot).invokestatic(Names.CALLS, "begin", OF);
  }

  private void loadFirst(CodeBuilder code) {
    List<ClassDesc> parameters = method.methodTypeSymbol().parameterList();
    List<Integer> slots = new ArrayList<>();
    int at = 0;
    for (ClassDesc parameter : parameters) {
      if (isObject(parameter, index)) {
        slots.add(at);
      }
      at += TypeKind.from(parameter).slotSize();
    }
    code.loadConstant(slots.size()).anewarray(ConstantDescs.CD_Object);
    for (int i = 0; i < slots.size(); i++) {
      code.dup().loadConstant(i).aload(slots.get(i)).aastore();
    }
    code.invokestatic(Names.CALLS, "first", FIRST);
  }

  @Override
  public void accept(CodeBuilder code, CodeElement element) {
    if (element instanceof ReturnInstruction) {
      endRange(code);
      code.aload(slot).invokestatic(Names.CALLS, "commit", OF);
    } else if (element instanceof Instruction && from == null) {
      from = code.newBoundLabel();
    }
    code.with(element);
  }

  /** Ends a range; one without instructions is dropped. */
  private void endRange(CodeBuilder code) {
    if (from != null) {
      ranges.add(new Range(from, code.newBoundLabel()));
      from = null;
    }
  }

  @Override
  public void atEnd(CodeBuilder code) {
    endRange(code);
    if (ranges.isEmpty()) {
      return;
    }
    int cause = code.allocateLocal(TypeKind.REFERENCE);
    Label failed = code.newBoundLabel();
    code.astore(cause)
        .aload(slot)
        .aload(cause)
        .invokestatic(Names.CALLS, "rollback", OF_CAUSE)
        .aload(cause)
        .athrow();
    for (Range range : ranges) {
      code.exceptionCatchAll(range.from, range.to, failed);
    }
  }
}
