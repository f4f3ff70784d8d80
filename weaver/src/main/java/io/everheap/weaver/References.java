package io.everheap.weaver;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * Generates the read of a field that refers to another durable object. The handle is created in the
 * accessor of the field and not in a method that all fields share: there the compiler would see
 * handles of many classes, and could not eliminate the allocation of handles that are used only
 * briefly.
 */
final class References {
  private static final int MOMENT = 1;
  private static final int REFERENCE = 3;
  private static final int TYPE = 5;
  private static final int PLACE = 6;

  private static final MethodTypeDesc FOLLOW =
      MethodTypeDesc.of(CD_long, Names.BASE, CD_int, CD_long);

  private References() {}

  /**
   * The body of a method without parameters that returns the object.
   *
   * @param index of the field
   * @param type of the field
   */
  static void read(CodeBuilder code, ConstantDesc index, ClassDesc type) {
    Label known = code.newLabel();
    Label there = code.newLabel();
    code.aload(0)
        .invokestatic(Names.FIELDS, "moment", MethodTypeDesc.of(CD_long, Names.BASE))
        .lstore(MOMENT);
    Members.place(code, index)
        .istore(PLACE)
        .aload(0)
        .iload(PLACE)
        .lload(MOMENT)
        .invokestatic(Names.ACCESS, "follow", FOLLOW)
        .lstore(REFERENCE)
        .lload(REFERENCE)
        .loadConstant(-1L)
        .lcmp()
        .ifne(known)
        .aload(0)
        .iload(PLACE)
        .invokestatic(Names.FIELDS, "getObject", MethodTypeDesc.of(CD_Object, Names.BASE, CD_int))
        .checkcast(type)
        .areturn()
        .labelBinding(known)
        .lload(REFERENCE)
        .lconst_0()
        .lcmp()
        .ifne(there)
        .aconst_null()
        .areturn()
        .labelBinding(there)
        .aload(0)
        .iload(PLACE)
        .invokestatic(Names.FIELDS, "target", MethodTypeDesc.of(Names.TYPE, Names.BASE, CD_int))
        .dup()
        .astore(TYPE)
        .invokestatic(Names.FIELDS, "prototype", MethodTypeDesc.of(Names.BASE, Names.TYPE))
        .aload(TYPE)
        .lload(REFERENCE)
        .aload(TYPE)
        .lload(REFERENCE)
        .invokestatic(Names.FIELDS, "header", MethodTypeDesc.of(CD_long, Names.TYPE, CD_long))
        .invokevirtual(Names.BASE, Names.MAKE, Names.MAKE_TYPE)
        .lload(MOMENT)
        .invokestatic(Names.FIELDS, "attached", MethodTypeDesc.of(Names.BASE, Names.BASE, CD_long))
        .checkcast(type)
        .areturn();
  }
}
