package io.everheap.support.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Decides which types of this project users can name. Not thread-safe. */
final class Users {
  private static final String PROJECT = "io.everheap.";

  private final Architecture module;
  private final Map<String, Optional<Set<String>>> exportsOfOthers = new HashMap<>();

  Users(Architecture module) {
    this.module = module;
  }

  /**
   * Whether the type, and the types that it is nested in, are public or protected and exported.
   * Types of other projects are taken for public.
   */
  boolean canName(JavaClass type) {
    boolean ownsType = module.classes().contain(type.getName());
    if (!ownsType && !type.getName().startsWith(PROJECT)) {
      return true;
    }
    return (ownsType ? isInPublicPackage(type) : isExportedByItsModule(type))
        && isForUsers(type.getModifiers())
        && type.getEnclosingClass().map(this::canName).orElse(true);
  }

  static boolean isForUsers(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }

  private boolean isInPublicPackage(JavaClass type) {
    return module.packagesForUsers().contains(type.getPackageName());
  }

  private boolean isExportedByItsModule(JavaClass type) {
    return exportsOfOthers
        .computeIfAbsent(type.getName(), name -> exportsOf(location(load(name))))
        .map(exported -> exported.contains(type.getPackageName()))
        .orElse(true);
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, Users.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("not on the class path: " + name, e);
    }
  }

  /** The directory or jar that a class was loaded from. */
  static URL location(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  /** The unqualified exports of the module in a directory or jar; empty without a descriptor. */
  static Optional<Set<String>> exportsOf(URL location) {
    try {
      return ModuleFinder.of(Path.of(location.toURI())).findAll().stream()
          .map(ModuleReference::descriptor)
          .filter(descriptor -> !descriptor.isAutomatic())
          .findFirst()
          .map(Users::unqualifiedExports);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Set<String> unqualifiedExports(ModuleDescriptor descriptor) {
    return descriptor.exports().stream()
        .filter(exports -> !exports.isQualified())
        .map(Exports::source)
        .collect(Collectors.toUnmodifiableSet());
  }
}
