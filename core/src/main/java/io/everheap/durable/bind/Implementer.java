package io.everheap.durable.bind;

import static java.lang.classfile.ClassFile.ACC_FINAL;
import static java.lang.classfile.ClassFile.ACC_PUBLIC;
import static java.lang.classfile.ClassFile.ACC_SYNTHETIC;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.everheap.durable.ObjectType;
import io.everheap.durable.handle.BoundField;
import io.everheap.durable.runtime.DurableObject;
import io.everheap.durable.runtime.FieldAccess;
import io.everheap.durable.type.Storage;
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
import java.util.Map;
import java.util.Objects;

/**
 * Generates the class that implements a durable interface for one layout. Each method calls {@link
 * FieldAccess} with a constant, so that the compiler can inline it.
 */
final class Implementer {
  private static final ClassDesc BASE = DurableObject.class.describeConstable().orElseThrow();
  private static final ClassDesc TYPE = ObjectType.class.describeConstable().orElseThrow();
  private static final ClassDesc ACCESS = FieldAccess.class.describeConstable().orElseThrow();
  private static final MethodTypeDesc INIT = MethodTypeDesc.of(CD_void, TYPE, CD_long, CD_long);
  private static final MethodTypeDesc MAKE = MethodTypeDesc.of(BASE, TYPE, CD_long, CD_long);

  private final ClassModel model;
  private final Map<String, BoundField> fields;
  private final ClassDesc self;

  /**
   * Begins a class.
   *
   * @param fields by the names of the properties
   * @param suffix of the name of the class
   */
  Implementer(ClassModel model, Map<String, BoundField> fields, String suffix) {
    this.model = model;
    this.fields = fields;
    String simple = model.type.getName().substring(model.type.getPackageName().length());
    String name = simple.startsWith(".") ? simple.substring(1) : simple;
    this.self = ClassDesc.of(model.type.getPackageName(), name + "$Everheap" + suffix);
  }

  /** Returns the class file. */
  byte[] bytes() {
    return ClassFile.of().build(self, this::build);
  }

  private void build(ClassBuilder builder) {
    builder.withFlags(ACC_FINAL | ACC_SYNTHETIC | ClassFile.ACC_SUPER | ACC_PUBLIC);
    builder.withSuperclass(BASE);
    builder.withInterfaceSymbols(desc(model.type));
    builder.withMethodBody(
        ConstantDescs.INIT_NAME,
        INIT,
        ACC_PUBLIC,
        code ->
            code.aload(0)
                .aload(1)
                .lload(2)
                .lload(4)
                .invokespecial(BASE, ConstantDescs.INIT_NAME, INIT)
                .return_());
    builder.withMethodBody(
        "everheap$make",
        MAKE,
        ACC_PUBLIC | ACC_FINAL,
        code ->
            code.new_(self)
                .dup()
                .aload(1)
                .lload(2)
                .lload(4)
                .invokespecial(self, ConstantDescs.INIT_NAME, INIT)
                .areturn());
    AtomicDefaults.add(builder, model.type);
    for (ClassModel.Property property : model.properties.values()) {
      BoundField field = Objects.requireNonNull(fields.get(property.name));
      property.getters.forEach(getter -> addGetter(builder, getter, field));
      property.setters.forEach(setter -> addSetter(builder, setter, field));
    }
  }

  private static ClassDesc desc(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }

  private static MethodTypeDesc desc(Method method) {
    return MethodTypeDesc.ofDescriptor(
        MethodType.methodType(method.getReturnType(), method.getParameterTypes())
            .descriptorString());
  }

  private static void addGetter(ClassBuilder builder, Method getter, BoundField field) {
    Class<?> returns = getter.getReturnType();
    builder.withMethodBody(
        getter.getName(),
        desc(getter),
        ACC_PUBLIC | ACC_FINAL,
        code -> {
          if (field.storage() == Storage.REF) {
            returnReference(code, field.position(), returns);
            return;
          }
          code.aload(0);
          if (field.storage().isPrimitive()) {
            code.loadConstant(field.offset())
                .invokestatic(
                    ACCESS,
                    "get" + suffix(returns),
                    MethodTypeDesc.of(desc(returns), BASE, CD_int));
          } else {
            code.loadConstant(field.position())
                .invokestatic(ACCESS, "getObject", MethodTypeDesc.of(CD_Object, BASE, CD_int));
            cast(code, returns);
          }
          code.return_(TypeKind.from(returns));
        });
  }

  private static void addSetter(ClassBuilder builder, Method setter, BoundField field) {
    Class<?> takes = setter.getParameterTypes()[0];
    builder.withMethodBody(
        setter.getName(),
        desc(setter),
        ACC_PUBLIC | ACC_FINAL,
        code -> {
          code.aload(0);
          boolean primitive = field.storage().isPrimitive();
          code.loadConstant(primitive ? field.offset() : field.position());
          code.loadLocal(TypeKind.from(takes), 1);
          if (!primitive) {
            cast(code, field.javaType());
          }
          code.invokestatic(
              ACCESS,
              primitive ? "put" + suffix(takes) : "putObject",
              MethodTypeDesc.of(CD_void, BASE, CD_int, primitive ? desc(takes) : CD_Object));
          if (setter.getReturnType() == void.class) {
            code.return_();
          } else {
            code.aload(0).areturn();
          }
        });
  }

  /**
   * Generates the return of what a field refers to. The handle is made in the method of the field
   * and not in one that all fields share: there the compiler would see handles of many classes, and
   * have to allocate each.
   */
  private static void returnReference(CodeBuilder code, int position, Class<?> returns) {
    int moment = 1;
    int reference = 3;
    int type = 5;
    Label known = code.newLabel();
    Label there = code.newLabel();
    code.aload(0)
        .invokestatic(ACCESS, "moment", MethodTypeDesc.of(CD_long, BASE))
        .lstore(moment)
        .aload(0)
        .loadConstant(position)
        .lload(moment)
        .invokestatic(ACCESS, "follow", MethodTypeDesc.of(CD_long, BASE, CD_int, CD_long))
        .lstore(reference)
        .lload(reference)
        .loadConstant(-1L)
        .lcmp()
        .ifne(known)
        .aload(0)
        .loadConstant(position)
        .invokestatic(ACCESS, "getReference", MethodTypeDesc.of(CD_Object, BASE, CD_int));
    cast(code, returns);
    code.areturn()
        .labelBinding(known)
        .lload(reference)
        .lconst_0()
        .lcmp()
        .ifne(there)
        .aconst_null()
        .areturn()
        .labelBinding(there)
        .aload(0)
        .loadConstant(position)
        .invokestatic(ACCESS, "target", MethodTypeDesc.of(TYPE, BASE, CD_int))
        .dup()
        .astore(type)
        .invokestatic(ACCESS, "prototype", MethodTypeDesc.of(BASE, TYPE))
        .aload(type)
        .lload(reference)
        .aload(type)
        .lload(reference)
        .invokestatic(ACCESS, "header", MethodTypeDesc.of(CD_long, TYPE, CD_long))
        .invokevirtual(BASE, "everheap$make", MAKE)
        .lload(moment)
        .invokestatic(ACCESS, "attached", MethodTypeDesc.of(BASE, BASE, CD_long));
    cast(code, returns);
    code.areturn();
  }

  private static void cast(CodeBuilder code, Class<?> type) {
    if (type != Object.class) {
      code.checkcast(desc(type));
    }
  }

  /** {@code Long} for {@code long}. */
  private static String suffix(Class<?> primitive) {
    String name = primitive.getName();
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }
}
