package io.everheap.weaver;

import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassSignature;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Signature;
import java.lang.classfile.Superclass;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.classfile.attribute.SignatureAttribute;
import java.lang.constant.ConstantDescs;
import java.util.ArrayList;
import java.util.List;

/**
 * Weaves a durable class. A class that extends {@code Object} gets the library's superclass; fields
 * become pairs of methods; constructors create the object first; atomic methods run in
 * transactions.
 */
final class DurableTransform implements ClassTransform {
  private final ClassModel model;
  private final FieldCalls calls;
  private final ClassIndex index;
  private final boolean root;
  private final Members members;

  DurableTransform(ClassModel model, FieldCalls calls, ClassIndex index) {
    this.model = model;
    this.calls = calls;
    this.index = index;
    String parent = model.superclass().orElseThrow().asInternalName();
    this.root = parent.equals("java/lang/Object");
    this.members = new Members(model, root ? Names.BASE : Names.desc(parent), index);
  }

  @Override
  public void accept(ClassBuilder builder, ClassElement element) {
    switch (element) {
      case Superclass parent -> {
        if (root) {
          builder.withSuperclass(Names.BASE);
        } else {
          builder.with(parent);
        }
      }
      case SignatureAttribute signature -> builder.with(root ? signature(signature) : signature);
      case RuntimeVisibleAnnotationsAttribute annotations -> builder.with(marked(annotations));
      case FieldModel field -> {
        if (!ClassFacts.isPersistent(field)) {
          builder.with(field);
        }
      }
      case MethodModel method -> builder.transformMethod(method, transform(method));
      default -> builder.with(element);
    }
  }

  private static SignatureAttribute signature(SignatureAttribute attribute) {
    ClassSignature old = attribute.asClassSignature();
    return SignatureAttribute.of(
        ClassSignature.of(
            old.typeParameters(),
            Signature.ClassTypeSig.of(Names.BASE),
            old.superinterfaceSignatures().toArray(Signature.ClassTypeSig[]::new)));
  }

  private static RuntimeVisibleAnnotationsAttribute marked(
      RuntimeVisibleAnnotationsAttribute attribute) {
    List<Annotation> annotations = new ArrayList<>(attribute.annotations());
    annotations.add(
        Annotation.of(
            Names.WOVEN, AnnotationElement.of("value", AnnotationValue.ofInt(Names.VERSION))));
    return RuntimeVisibleAnnotationsAttribute.of(annotations);
  }

  private MethodTransform transform(MethodModel method) {
    CodeTransform code = calls;
    String name = method.methodName().stringValue();
    if (name.equals(ConstantDescs.INIT_NAME)) {
      code = new ConstructorCode(model, root, calls);
    } else if (name.equals(ConstantDescs.CLASS_INIT_NAME)) {
      code = Members.registering().andThen(code);
    } else if (AtomicCode.isAtomic(model, method)) {
      code = code.andThen(new AtomicCode(method, index));
    }
    return MethodTransform.transformingCode(code);
  }

  @Override
  public void atEnd(ClassBuilder builder) {
    for (FieldModel field : model.fields()) {
      if (ClassFacts.isPersistent(field)) {
        members.accessors(builder, field);
      }
    }
    members.handles(builder, model.flags().flagsMask());
    List<MethodModel> hooks = new ArrayList<>();
    boolean initialised = false;
    for (MethodModel method : model.methods()) {
      if (ClassFacts.has(method, Names.ON_ATTACH)) {
        hooks.add(method);
      }
      initialised |= method.methodName().equalsString(ConstantDescs.CLASS_INIT_NAME);
    }
    members.attached(builder, hooks);
    if (!initialised) {
      builder.withMethod(
          ConstantDescs.CLASS_INIT_NAME,
          ConstantDescs.MTD_void,
          ClassFile.ACC_STATIC,
          method ->
              method.withCode(
                  code -> {
                    Members.register(code);
                    code.return_();
                  }));
    }
    if (model.findAttribute(Attributes.runtimeVisibleAnnotations()).isEmpty()) {
      throw new AssertionError(model.thisClass());
    }
  }
}
