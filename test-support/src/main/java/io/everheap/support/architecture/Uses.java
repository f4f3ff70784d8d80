package io.everheap.support.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.Source;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.constant.ClassDesc;
import java.net.URI;
import java.util.Set;
import java.util.TreeSet;

/**
 * The classes that a class uses. ArchUnit finds neither casts nor constants that the compiler
 * inlines, but both leave the name of the used class in the constant pool.
 */
final class Uses {
  private Uses() {}

  /** The full names of the used classes; an array counts as its elements. */
  static Set<String> of(JavaClass type) {
    Set<String> names = new TreeSet<>();
    for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
      names.add(dependency.getTargetClass().getBaseComponentType().getName());
    }
    URI file = type.getSource().map(Source::getUri).orElseThrow();
    for (PoolEntry entry : ClassFile.of().parse(bytes(file)).constantPool()) {
      if (entry instanceof ClassEntry used) {
        names.add(name(used.asSymbol()));
      }
    }
    return names;
  }

  private static byte[] bytes(URI file) {
    try (InputStream in = file.toURL().openStream()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String name(ClassDesc type) {
    ClassDesc component = type.componentType();
    return component == null ? type.packageName() + "." + type.displayName() : name(component);
  }
}
