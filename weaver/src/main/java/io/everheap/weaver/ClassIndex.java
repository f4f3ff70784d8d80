package io.everheap.weaver;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.constant.ClassDesc;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Caches the facts of classes by name. Thread-safe. */
final class ClassIndex implements ClassHierarchyResolver {
  private static final ClassHierarchyResolver JDK =
      ClassHierarchyResolver.ofResourceParsing(ClassLoader.getPlatformClassLoader());

  private final ClassSource source;
  private final Map<String, Optional<ClassFacts>> known = new ConcurrentHashMap<>();

  ClassIndex(ClassSource source) {
    this.source = source;
  }

  /** The facts of a class; null if it is not found, or is one of the JDK's. */
  @Nullable ClassFacts find(@Nullable String name) {
    if (name == null || isJdk(name)) {
      return null;
    }
    Optional<ClassFacts> facts = known.get(name);
    if (facts == null) {
      byte[] bytes = source.find(name);
      facts = bytes == null ? Optional.empty() : Optional.of(facts(name, bytes));
      known.put(name, facts);
    }
    return facts.orElse(null);
  }

  private static ClassFacts facts(String name, byte[] bytes) {
    try {
      return ClassFacts.of(ClassFile.of().parse(bytes));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the class file of " + name.replace('/', '.') + " is damaged: " + e.getMessage(), e);
    }
  }

  private static boolean isJdk(String name) {
    return name.startsWith("java/") || name.startsWith("jdk/") || name.startsWith("[");
  }

  /** Remembers a class that is being woven. */
  void add(ClassFacts facts) {
    known.put(facts.name(), Optional.of(facts));
  }

  /** Whether a class is marked as durable. */
  boolean isDurable(String name) {
    ClassFacts facts = find(name);
    return facts != null && facts.durable();
  }

  /** Whether a field, as an instruction names it, lives in the heap. */
  boolean isPersistent(String owner, String field, String descriptor) {
    String key = ClassFacts.key(field, descriptor);
    for (ClassFacts at : chain(owner)) {
      if (at.fields().contains(key)) {
        return at.durable();
      }
      if (at.others().contains(key)) {
        return false;
      }
    }
    return false;
  }

  /**
   * A class and those that it extends, as far as they are found.
   *
   * @throws IllegalArgumentException if one of them extends itself, which only damaged or mixed
   *     class files do
   */
  Collection<ClassFacts> chain(@Nullable String name) {
    Map<String, ClassFacts> chain = new LinkedHashMap<>();
    for (ClassFacts at = find(name); at != null; at = find(at.superName())) {
      if (chain.putIfAbsent(at.name(), at) != null) {
        throw new IllegalArgumentException(
            "the class " + at.name().replace('/', '.') + " extends itself");
      }
    }
    return chain.values();
  }

  /** Whether a class or what it extends implements an interface. */
  boolean isA(@Nullable String name, String wanted) {
    return isA(name, wanted, new HashSet<>());
  }

  private boolean isA(@Nullable String name, String wanted, Set<String> seen) {
    if (wanted.equals(name)) {
      return true;
    }
    ClassFacts facts = find(name);
    return facts != null
        && seen.add(facts.name())
        && (isA(facts.superName(), wanted, seen)
            || facts.interfaces().stream().anyMatch(each -> isA(each, wanted, seen)));
  }

  /**
   * The class hierarchy for stack map frames. A missing class counts as one that directly extends
   * {@code Object}.
   */
  @Override
  public ClassHierarchyInfo getClassInfo(ClassDesc type) {
    String descriptor = type.descriptorString();
    String name = descriptor.substring(1, descriptor.length() - 1);
    ClassFacts facts = find(name);
    if (facts == null) {
      ClassHierarchyInfo info = JDK.getClassInfo(type);
      return info != null ? info : ClassHierarchyInfo.ofClass(null);
    }
    var _ = chain(name); // which ends: the caller follows it
    return facts.isInterface()
        ? ClassHierarchyInfo.ofInterface()
        : ClassHierarchyInfo.ofClass(
            facts.superName() == null ? null : Names.desc(facts.superName()));
  }
}
