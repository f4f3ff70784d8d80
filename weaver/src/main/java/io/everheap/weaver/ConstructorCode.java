package io.everheap.weaver;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.ConstantDescs;

/**
 * Weaves the code of a constructor: the call of the superclass's constructor creates the object in
 * the heap, so no field can be assigned before. Used by one thread, for one constructor.
 */
final class ConstructorCode implements CodeTransform {
  private final String self;
  private final String parent;
  private final boolean root;
  private final FieldCalls calls;

  /** Objects of the two classes that were allocated and are not initialised yet. */
  private int others;

  private boolean made;

  ConstructorCode(ClassModel model, boolean root, FieldCalls calls) {
    this.self = model.thisClass().asInternalName();
    this.parent = model.superclass().orElseThrow().asInternalName();
    this.root = root;
    this.calls = calls;
  }

  @Override
  public void accept(CodeBuilder builder, CodeElement element) {
    if (!made) {
      if (element instanceof NewObjectInstruction other
          && isOurs(other.className().asInternalName())) {
        others++;
      } else if (element instanceof InvokeInstruction call && isConstructor(call)) {
        if (others > 0) {
          others--;
        } else {
          made = true;
          if (root && call.owner().asInternalName().equals(parent)) {
            builder.invokespecial(Names.BASE, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void);
            return;
          }
        }
      } else if (element instanceof FieldInstruction field
          && field.opcode() == Opcode.PUTFIELD
          && calls.isCall(field)
          && field.owner().asInternalName().equals(self)) {
        calls.refuse(
            "a constructor assigns the field "
                + field.name().stringValue()
                + " before it calls super(...) or this(...), when there is no object yet: assign it"
                + " after that");
      }
    }
    calls.accept(builder, element);
  }

  private boolean isConstructor(InvokeInstruction call) {
    return call.opcode() == Opcode.INVOKESPECIAL
        && call.name().equalsString(ConstantDescs.INIT_NAME)
        && isOurs(call.owner().asInternalName());
  }

  private boolean isOurs(String name) {
    return name.equals(self) || name.equals(parent);
  }
}
