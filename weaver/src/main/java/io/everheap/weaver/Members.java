package io.everheap.weaver;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodSignature;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.SignatureAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/** Generates the members that weaving adds to a durable class. */
final class Members {
  private static final DirectMethodHandleDesc INDEX =
      ConstantDescs.ofConstantBootstrap(Names.ACCESS, "index", CD_int);
  private static final ClassDesc LOOKUPS = ClassDesc.of("java.lang.invoke.MethodHandles");

  private static final int ACCESS =
      ClassFile.ACC_PUBLIC | ClassFile.ACC_PROTECTED | ClassFile.ACC_PRIVATE;
  private static final int HIDDEN = ClassFile.ACC_SYNTHETIC;

  private final ClassDesc self;
  private final ClassDesc parent;
  private final ClassIndex classes;

  Members(ClassModel model, ClassDesc parent, ClassIndex classes) {
    this.classes = classes;
    this.self = model.thisClass().asSymbol();
    this.parent = parent;
  }

  /**
   * Generates the two methods that replace a field, with its access; the getter has its annotations
   * and type.
   */
  void accessors(ClassBuilder builder, FieldModel field) {
    String name = field.fieldName().stringValue();
    ClassDesc type = field.fieldTypeSymbol();
    int flags = (field.flags().flagsMask() & ACCESS) | HIDDEN;
    flags |= (flags & ClassFile.ACC_PRIVATE) == 0 ? ClassFile.ACC_FINAL : 0;
    TypeKind kind = TypeKind.from(type);
    boolean primitive = type.isPrimitive();
    String suffix = primitive ? capitalized(type.displayName()) : "Object";
    ClassDesc passed = primitive ? type : CD_Object;
    DynamicConstantDesc<Integer> index = DynamicConstantDesc.ofNamed(INDEX, name, CD_int);
    builder.withMethod(
        Names.GETTER + name,
        MethodTypeDesc.of(type),
        flags,
        method -> {
          field.findAttribute(Attributes.runtimeVisibleAnnotations()).ifPresent(method::with);
          field
              .findAttribute(Attributes.signature())
              .ifPresent(
                  s ->
                      method.with(
                          SignatureAttribute.of(
                              MethodSignature.parseFrom("()" + s.signature().stringValue()))));
          method.withCode(
              code -> {
                if (AtomicCode.isObject(type, classes)) {
                  References.read(code, index, type);
                  return;
                }
                place(code.aload(0), index)
                    .invokestatic(
                        Names.FIELDS,
                        "get" + suffix,
                        MethodTypeDesc.of(passed, Names.BASE, CD_int));
                if (!primitive && !type.equals(CD_Object)) {
                  code.checkcast(type);
                }
                code.return_(kind);
              });
        });
    builder.withMethodBody(
        Names.SETTER + name,
        MethodTypeDesc.of(CD_void, type),
        flags,
        code ->
            place(code.aload(0), index)
                .loadLocal(kind, 1)
                .invokestatic(
                    Names.FIELDS,
                    "put" + suffix,
                    MethodTypeDesc.of(CD_void, Names.BASE, CD_int, passed))
                .return_());
  }

  /** Loads the place that this object's heap has for a field. */
  static CodeBuilder place(CodeBuilder code, ConstantDesc index) {
    return code.aload(0)
        .loadConstant(index)
        .invokestatic(Names.ACCESS, "place", MethodTypeDesc.of(CD_int, Names.BASE, CD_int));
  }

  private static String capitalized(String name) {
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }

  /** Generates a constructor for handles of existing objects, and the method that calls it. */
  void handles(ClassBuilder builder, int classFlags) {
    builder.withMethodBody(
        ConstantDescs.INIT_NAME,
        Names.ATTACH_CONSTRUCTOR,
        ClassFile.ACC_PROTECTED | HIDDEN,
        code ->
            code.aload(0)
                .aload(1)
                .lload(2)
                .lload(4)
                .invokespecial(parent, ConstantDescs.INIT_NAME, Names.ATTACH_CONSTRUCTOR)
                .return_());
    if ((classFlags & ClassFile.ACC_ABSTRACT) != 0) {
      return;
    }
    builder.withMethodBody(
        Names.MAKE,
        Names.MAKE_TYPE,
        ClassFile.ACC_PUBLIC | HIDDEN,
        code ->
            code.new_(self)
                .dup()
                .aload(1)
                .lload(2)
                .lload(4)
                .invokespecial(self, ConstantDescs.INIT_NAME, Names.ATTACH_CONSTRUCTOR)
                .areturn());
  }

  /** Generates the method that calls the hooks of the superclasses, then those of this class. */
  void attached(ClassBuilder builder, List<MethodModel> hooks) {
    if (hooks.isEmpty()) {
      return;
    }
    builder.withMethodBody(
        Names.ATTACHED,
        ConstantDescs.MTD_void,
        ClassFile.ACC_PROTECTED | HIDDEN,
        code -> {
          code.aload(0).invokespecial(parent, Names.ATTACHED, ConstantDescs.MTD_void);
          for (MethodModel hook : hooks) {
            code.aload(0)
                .invokespecial(self, hook.methodName().stringValue(), ConstantDescs.MTD_void);
          }
          code.return_();
        });
  }

  /** Generates the call that registers the class with the library before anything else runs. */
  static void register(CodeBuilder code) {
    code.invokestatic(LOOKUPS, "lookup", MethodTypeDesc.of(ConstantDescs.CD_MethodHandles_Lookup))
        .invokestatic(
            Names.ACCESS,
            "register",
            MethodTypeDesc.of(CD_void, ConstantDescs.CD_MethodHandles_Lookup));
  }

  /** Adds that call at the start of an existing initializer. */
  static CodeTransform registering() {
    return new CodeTransform() {
      @Override
      public void atStart(CodeBuilder code) {
        register(code);
      }

      @Override
      public void accept(CodeBuilder code, CodeElement element) {
        code.with(element);
      }
    };
  }
}
