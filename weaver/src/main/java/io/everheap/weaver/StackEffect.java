package io.everheap.weaver;

import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.NopInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import org.jspecify.annotations.Nullable;

/**
 * The effect of an instruction on the operand stack, in words. An instruction that duplicates words
 * counts as one that only pushes.
 */
record StackEffect(int pops, int pushes) {
  /** The effect of an instruction; null for branches, returns and throws. */
  static @Nullable StackEffect of(Instruction instruction) {
    return switch (instruction) {
      case LoadInstruction i -> new StackEffect(0, i.typeKind().slotSize());
      case StoreInstruction i -> new StackEffect(i.typeKind().slotSize(), 0);
      case ConstantInstruction i -> new StackEffect(0, i.typeKind().slotSize());
      case ArrayLoadInstruction i -> new StackEffect(2, i.typeKind().slotSize());
      case ArrayStoreInstruction i -> new StackEffect(2 + i.typeKind().slotSize(), 0);
      case OperatorInstruction i -> operator(i);
      case ConvertInstruction i -> new StackEffect(i.fromType().slotSize(), i.toType().slotSize());
      case TypeCheckInstruction _ -> new StackEffect(1, 1);
      case FieldInstruction i -> field(i);
      case InvokeInstruction i -> call(i.typeSymbol(), i.opcode() == Opcode.INVOKESTATIC ? 0 : 1);
      case InvokeDynamicInstruction i -> call(i.typeSymbol(), 0);
      case NewObjectInstruction _ -> new StackEffect(0, 1);
      case NewPrimitiveArrayInstruction _ -> new StackEffect(1, 1);
      case NewReferenceArrayInstruction _ -> new StackEffect(1, 1);
      case NewMultiArrayInstruction i -> new StackEffect(i.dimensions(), 1);
      case IncrementInstruction _ -> new StackEffect(0, 0);
      case NopInstruction _ -> new StackEffect(0, 0);
      case StackInstruction i -> stack(i.opcode());
      default -> null;
    };
  }

  private static StackEffect operator(OperatorInstruction i) {
    int size = i.typeKind().slotSize();
    return switch (i.opcode()) {
      case ARRAYLENGTH -> new StackEffect(1, 1);
      case INEG, LNEG, FNEG, DNEG -> new StackEffect(size, size);
      case ISHL, ISHR, IUSHR, LSHL, LSHR, LUSHR -> new StackEffect(size + 1, size);
      case LCMP, DCMPL, DCMPG -> new StackEffect(4, 1);
      case FCMPL, FCMPG -> new StackEffect(2, 1);
      default -> new StackEffect(2 * size, size);
    };
  }

  private static int words(ClassDesc type) {
    return TypeKind.from(type).slotSize();
  }

  private static StackEffect field(FieldInstruction i) {
    int size = words(i.typeSymbol());
    return switch (i.opcode()) {
      case GETSTATIC -> new StackEffect(0, size);
      case PUTSTATIC -> new StackEffect(size, 0);
      case GETFIELD -> new StackEffect(1, size);
      default -> new StackEffect(size + 1, 0);
    };
  }

  private static StackEffect call(MethodTypeDesc type, int receiver) {
    int arguments = type.parameterList().stream().mapToInt(StackEffect::words).sum();
    return new StackEffect(receiver + arguments, words(type.returnType()));
  }

  private static StackEffect stack(Opcode opcode) {
    return switch (opcode) {
      case POP -> new StackEffect(1, 0);
      case POP2 -> new StackEffect(2, 0);
      case DUP, DUP_X1, DUP_X2 -> new StackEffect(0, 1);
      case DUP2, DUP2_X1, DUP2_X2 -> new StackEffect(0, 2);
      default -> new StackEffect(0, 0); // swap
    };
  }
}
