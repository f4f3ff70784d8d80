package io.everheap.weaver;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds stores into an array that the read of a field in the heap has just returned. Such an array
 * is a copy, so the store would be lost. The operand stack is tracked from the read to the
 * instruction that pops the array, or to the first branch. Used by one thread.
 */
final class ArrayStores {
  /** An array on the stack. */
  private static final class Copy {
    private final String field;

    /** Words on the stack above it. */
    private int above;

    private Copy(String field) {
      this.field = field;
    }
  }

  private final FieldCalls calls;
  private final List<Copy> copies = new ArrayList<>();

  private ArrayStores(FieldCalls calls) {
    this.calls = calls;
  }

  /** Describes the first such store; null if there is none. */
  static @Nullable String problem(CodeModel code, FieldCalls calls) {
    ArrayStores stores = new ArrayStores(calls);
    for (CodeElement element : code) {
      String field = element instanceof Instruction i ? stores.lostBy(i) : null;
      if (field != null) {
        return "it stores into the array that the field "
            + field
            + " returned, which is a copy: put the array into a local variable, change it, and"
            + " assign the field";
      }
    }
    return null;
  }

  /** The field whose array an instruction stores into; null if it does not. */
  private @Nullable String lostBy(Instruction instruction) {
    for (Copy copy : copies) {
      if (instruction instanceof ArrayStoreInstruction store
          && copy.above == 1 + store.typeKind().slotSize()) {
        return copy.field;
      }
    }
    copies.removeIf(copy -> isGone(copy, instruction));
    if (instruction instanceof FieldInstruction read
        && read.opcode() == Opcode.GETFIELD
        && read.typeSymbol().isArray()
        && calls.isCall(read)) {
      copies.add(new Copy(read.name().stringValue()));
    }
    return null;
  }

  private static boolean isGone(Copy copy, Instruction instruction) {
    if (instruction instanceof ArrayLoadInstruction load
        && copy.above == 1
        && load.typeKind() == TypeKind.REFERENCE) {
      copy.above = 0; // the element is an array within the array
      return false;
    }
    StackEffect effect = StackEffect.of(instruction);
    if (effect == null || effect.pops() > copy.above) {
      return true;
    }
    copy.above += effect.pushes() - effect.pops();
    return false;
  }
}
