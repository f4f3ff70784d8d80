package io.everheap.weaver;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.FieldRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.instruction.FieldInstruction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Weaves one class after another. Durable classes keep their fields in the heap from then on; other
 * classes that use their fields are changed to call them. Line numbers, names of local variables
 * and parameters stay. Thread-safe.
 *
 * @since 0.9
 */
public final class Weaver {
  private final ClassIndex index;
  private final ClassFile files;

  /**
   * A weaver.
   *
   * @param source of the classes to be woven and of those that they mention; none is loaded
   */
  public Weaver(ClassSource source) {
    this.index = new ClassIndex(source);
    this.files = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(index));
  }

  /**
   * Weaves a class.
   *
   * @return null if the class is not changed, for instance because it was woven before
   * @throws WeavingException if it is durable and violates the rules for durable classes
   * @throws IllegalArgumentException if it is not a class file, or one of the classes that it
   *     mentions is not, or if one of them extends itself
   */
  public byte @Nullable [] weave(byte[] classFile) {
    ClassModel model = files.parse(classFile);
    ClassFacts facts = ClassFacts.of(model);
    index.add(facts);
    var _ = index.chain(facts.name());
    String name = facts.name().replace('/', '.');
    List<String> problems = new Rules(index, facts, model).problems();
    if (!problems.isEmpty()) {
      throw new WeavingException(name, problems);
    }
    boolean durable = facts.durable() && !facts.isInterface();
    if (durable && ClassFacts.has(model, Names.WOVEN)) {
      requireVersion(name, model);
      durable = false;
    }
    FieldCalls calls = new FieldCalls(index);
    if (!durable && !(mentionsFields(model) && usesFields(model, calls))) {
      return null;
    }
    for (MethodModel method : model.methods()) {
      method.code().map(code -> ArrayStores.problem(code, calls)).ifPresent(calls::refuse);
    }
    ClassTransform transform =
        durable
            ? new DurableTransform(model, calls, index)
            : ClassTransform.transformingMethodBodies(calls);
    byte[] woven = files.transformClass(model, transform);
    String problem = calls.problem();
    if (problem != null) {
      throw new WeavingException(name, List.of(problem));
    }
    return woven;
  }

  private static void requireVersion(String name, ClassModel model) {
    if (ClassFacts.number(model, Names.WOVEN) != Names.VERSION) {
      throw new WeavingException(
          name, List.of("it was woven by another version: compile it again"));
    }
  }

  /**
   * Whether code uses fields of durable classes; the constant pool alone does not tell, since it
   * keeps the constants of replaced instructions.
   */
  private static boolean usesFields(ClassModel model, FieldCalls calls) {
    return model.methods().stream()
        .flatMap(method -> method.code().stream())
        .flatMap(CodeModel::elementStream)
        .anyMatch(element -> element instanceof FieldInstruction field && calls.isCall(field));
  }

  private boolean mentionsFields(ClassModel model) {
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof FieldRefEntry field
          && index.isPersistent(
              field.owner().asInternalName(),
              field.name().stringValue(),
              field.type().stringValue())) {
        return true;
      }
    }
    return false;
  }
}
