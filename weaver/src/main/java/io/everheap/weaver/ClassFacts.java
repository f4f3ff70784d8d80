package io.everheap.weaver;

import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.constant.ClassDesc;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a class that matter for weaving it and classes that use it.
 *
 * @param name internal, such as {@code java/lang/String}
 * @param superName internal; null for {@code Object}
 * @param interfaces internal names
 * @param isInterface whether it is one
 * @param durable whether it is marked so
 * @param fields names of all instance fields that it declares itself, each with its descriptor,
 *     that live in the heap if the class is durable
 * @param others the same for fields that do not live in the heap: static and transient ones
 */
record ClassFacts(
    String name,
    @Nullable String superName,
    List<String> interfaces,
    boolean isInterface,
    boolean durable,
    Set<String> fields,
    Set<String> others) {

  static ClassFacts of(ClassModel model) {
    Set<String> fields = new HashSet<>();
    Set<String> others = new HashSet<>();
    for (FieldModel field : model.fields()) {
      String key = key(field.fieldName().stringValue(), field.fieldType().stringValue());
      (isPersistent(field) ? fields : others).add(key);
    }
    boolean durable = has(model, Names.DURABLE);
    if (durable) {
      for (MethodModel method : model.methods()) {
        String name = method.methodName().stringValue();
        if (name.startsWith(Names.GETTER)) {
          String type = method.methodTypeSymbol().returnType().descriptorString();
          fields.add(key(name.substring(Names.GETTER.length()), type));
        }
      }
    }
    return new ClassFacts(
        model.thisClass().asInternalName(),
        model.superclass().map(ClassEntry::asInternalName).orElse(null),
        model.interfaces().stream().map(ClassEntry::asInternalName).toList(),
        model.flags().has(java.lang.reflect.AccessFlag.INTERFACE),
        durable,
        fields,
        others);
  }

  static String key(String field, String descriptor) {
    return field + ' ' + descriptor;
  }

  /** Whether the class declares a field of this name that lives in the heap. */
  boolean hasPersistent(String field) {
    return fields.stream().anyMatch(key -> key.startsWith(field + ' '));
  }

  /** Whether a field of a durable class lives in the heap. */
  static boolean isPersistent(FieldModel field) {
    return (field.flags().flagsMask() & (ClassFile.ACC_STATIC | ClassFile.ACC_TRANSIENT)) == 0;
  }

  /** Whether something has an annotation. */
  static boolean has(AttributedElement element, ClassDesc annotation) {
    return annotation(element, annotation) != null;
  }

  /** The number that an annotation of a class has; 0 if it has none. */
  static int number(AttributedElement element, ClassDesc annotation) {
    Annotation found = annotation(element, annotation);
    return found != null
            && !found.elements().isEmpty()
            && found.elements().getFirst().value() instanceof AnnotationValue.OfInt number
        ? number.intValue()
        : 0;
  }

  private static @Nullable Annotation annotation(AttributedElement element, ClassDesc wanted) {
    return element
        .findAttribute(Attributes.runtimeVisibleAnnotations())
        .flatMap(
            all ->
                all.annotations().stream().filter(a -> a.classSymbol().equals(wanted)).findFirst())
        .orElse(null);
  }
}
