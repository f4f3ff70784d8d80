package io.everheap.weaver;

import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/** The names in the library that woven classes use, and those of the methods that they get. */
final class Names {
  /** The version of the woven code; the library checks it. */
  static final int VERSION = 1;

  private static final String PACKAGE = "io.everheap.durable";
  private static final String RUNTIME = PACKAGE + ".runtime";

  static final ClassDesc DURABLE = ClassDesc.of(PACKAGE, "Durable");
  static final ClassDesc ATOMIC = ClassDesc.of(PACKAGE, "Atomic");
  static final ClassDesc ON_ATTACH = ClassDesc.of(PACKAGE, "OnAttach");
  static final ClassDesc WOVEN = ClassDesc.of(PACKAGE, "Woven");
  static final ClassDesc BASE = ClassDesc.of(RUNTIME, "DurableObject");
  static final ClassDesc TYPE = ClassDesc.of(PACKAGE, "ObjectType");
  static final ClassDesc ACCESS = ClassDesc.of(RUNTIME, "WovenAccess");
  static final ClassDesc FIELDS = ClassDesc.of(RUNTIME, "FieldAccess");
  static final ClassDesc CALLS = ClassDesc.of(RUNTIME, "AtomicCalls");

  static final String BASE_NAME = "io/everheap/durable/runtime/DurableObject";

  static final String GETTER = "everheap$get$";
  static final String SETTER = "everheap$put$";
  static final String MAKE = "everheap$make";
  static final String ATTACHED = "everheap$attached";

  static final MethodTypeDesc ATTACH_CONSTRUCTOR =
      MethodTypeDesc.of(ConstantDescs.CD_void, TYPE, ConstantDescs.CD_long, ConstantDescs.CD_long);
  static final MethodTypeDesc MAKE_TYPE =
      MethodTypeDesc.of(BASE, TYPE, ConstantDescs.CD_long, ConstantDescs.CD_long);

  private Names() {}

  /** The class of an internal name such as {@code java/lang/String}. */
  static ClassDesc desc(String internalName) {
    return ClassDesc.ofInternalName(internalName);
  }
}
