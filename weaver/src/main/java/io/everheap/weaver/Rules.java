package io.everheap.weaver;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.InnerClassInfo;
import java.util.ArrayList;
import java.util.List;

/** Finds members of a class that cannot be woven or whose meaning would change. */
final class Rules {
  /** The least version of class files, that of Java 11: nestmates and dynamic constants. */
  private static final int OLDEST = 55;

  /** The suffix of the classes that the Kotlin compiler adds for callers of older interfaces. */
  private static final String KOTLIN_DEFAULTS = "$DefaultImpls";

  private final ClassIndex index;
  private final ClassFacts facts;
  private final ClassModel model;
  private final List<String> problems = new ArrayList<>();

  Rules(ClassIndex index, ClassFacts facts, ClassModel model) {
    this.index = index;
    this.facts = facts;
    this.model = model;
  }

  List<String> problems() {
    atomic();
    if (!facts.durable()) {
      String parent = facts.superName();
      if (parent != null && index.isDurable(parent) && !facts.isInterface()) {
        problems.add(
            "it extends the durable class " + parent.replace('/', '.') + ": mark it with @Durable");
      }
    } else if (!facts.isInterface() && !ClassFacts.has(model, Names.WOVEN)) {
      kind();
      parent();
      fields();
      methods();
    }
    return problems;
  }

  private void atomic() {
    if (facts.name().endsWith(KOTLIN_DEFAULTS)) {
      return; // its methods, which copy the annotations, call those of the interface
    }
    boolean all = ClassFacts.has(model, Names.ATOMIC);
    if (all && !facts.durable()) {
      problems.add("it is @Atomic but not @Durable: use heap.transact");
    }
    for (MethodModel method : model.methods()) {
      if (ClassFacts.has(method, Names.ATOMIC)) {
        atomic(method);
      }
    }
  }

  private void atomic(MethodModel method) {
    int flags = method.flags().flagsMask();
    String name = method.methodName().stringValue();
    boolean isStatic = (flags & ClassFile.ACC_STATIC) != 0;
    if (!facts.durable()) {
      problems.add("the method " + name + " is @Atomic in a class that is not: use heap.transact");
    } else if (facts.isInterface()) {
      if (isStatic || (flags & ClassFile.ACC_PRIVATE) != 0) {
        problems.add("the method " + name + ": only default methods of interfaces can be @Atomic");
      }
    } else if ((flags & (ClassFile.ACC_ABSTRACT | ClassFile.ACC_NATIVE)) != 0) {
      problems.add("the method " + name + " is @Atomic but has no body here");
    } else if (isStatic
        && method.methodTypeSymbol().parameterList().stream()
            .noneMatch(type -> AtomicCode.isObject(type, index))) {
      problems.add(
          "the static method "
              + name
              + " is @Atomic but has no parameter of a durable type, which would say which heap:"
              + " use heap.transact");
    }
  }

  private void kind() {
    if (model.majorVersion() < OLDEST) {
      problems.add("it was compiled for Java " + (model.majorVersion() - 44) + "; 11 is the least");
    }
    String parent = String.valueOf(facts.superName());
    if (parent.equals("java/lang/Record")
        || (model.flags().flagsMask() & ClassFile.ACC_ENUM) != 0) {
      problems.add("it is a value, not an object: records and enums need no @Durable");
    }
    boolean inner =
        model.findAttribute(Attributes.innerClasses()).stream()
            .flatMap(attribute -> attribute.classes().stream())
            .filter(info -> info.innerClass().asInternalName().equals(facts.name()))
            .anyMatch(info -> isInner(info));
    if (inner) {
      problems.add(
          "it is an inner class, which has a reference to an object around it: make it static");
    }
    if (index.isA(facts.name(), "java/io/Serializable")
        && model.methods().stream().noneMatch(m -> m.methodName().equalsString("writeReplace"))) {
      problems.add(
          "it is Serializable, but its fields are not in its handles: declare writeReplace(), or do"
              + " not implement it");
    }
  }

  private static boolean isInner(InnerClassInfo info) {
    return (info.flagsMask() & ClassFile.ACC_STATIC) == 0;
  }

  private void parent() {
    String parent = String.valueOf(facts.superName());
    if (!parent.equals("java/lang/Object")
        && !parent.equals("java/lang/Record")
        && !parent.equals("java/lang/Enum")
        && !index.isDurable(parent)) {
      problems.add(
          "it extends "
              + parent.replace('/', '.')
              + (index.find(parent) == null ? ", which was not found" : "")
              + ": a durable class extends Object or a durable class");
    }
  }

  private void fields() {
    for (FieldModel field : model.fields()) {
      if (!ClassFacts.isPersistent(field)) {
        continue;
      }
      String name = field.fieldName().stringValue();
      if ((field.flags().flagsMask() & ClassFile.ACC_SYNTHETIC) != 0) {
        problems.add("the compiler gave it a field " + name + ": it must not use local variables");
      }
      for (ClassFacts at : index.chain(facts.superName())) {
        if (at.hasPersistent(name)) {
          problems.add(
              "its field " + name + " has the name of one in " + at.name().replace('/', '.'));
        }
      }
    }
  }

  private void methods() {
    for (MethodModel method : model.methods()) {
      int flags = method.flags().flagsMask();
      String name = method.methodName().stringValue();
      if ((flags & ClassFile.ACC_SYNCHRONIZED) != 0 && (flags & ClassFile.ACC_STATIC) == 0) {
        problems.add(
            "the method "
                + name
                + " is synchronized, but an object may have several handles: make it @Atomic");
      }
      if (ClassFacts.has(method, Names.ON_ATTACH)
          && ((flags & (ClassFile.ACC_STATIC | ClassFile.ACC_ABSTRACT)) != 0
              || !method.methodType().equalsString("()V"))) {
        problems.add(
            "the method " + name + " is @OnAttach: it must be 'void " + name + "()' with a body");
      }
    }
  }
}
