package io.everheap.support.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.PackageMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The layers of one module, from top to bottom, each with the packages that it consists of. */
final class Layers {
  private final JavaClasses module;
  private final List<String> identifiers;
  private final List<PackageMatcher> matchers;

  Layers(Architecture architecture) {
    module = architecture.classes();
    identifiers = architecture.layers();
    matchers = identifiers.stream().map(PackageMatcher::of).toList();
  }

  /** The packages that belong to no layer or to several, and the layers without a package. */
  List<String> mismatches() {
    List<String> mismatches = new ArrayList<>();
    Set<String> used = new TreeSet<>();
    for (String name : packages()) {
      List<String> found = identifiers.stream().filter(layer -> contains(layer, name)).toList();
      used.addAll(found);
      if (found.size() != 1) {
        mismatches.add("package " + name + " belongs to the layers " + found);
      }
    }
    for (String layer : identifiers) {
      if (!used.contains(layer)) {
        mismatches.add("no package belongs to the layer " + layer);
      }
    }
    return mismatches;
  }

  private static boolean contains(String layer, String name) {
    return PackageMatcher.of(layer).matches(name);
  }

  private Set<String> packages() {
    Set<String> names = new TreeSet<>();
    for (JavaClass type : module) {
      names.add(type.getPackageName());
    }
    return names;
  }

  /** The uses of a class by one in a lower layer. */
  List<String> upwardUses() {
    List<String> uses = new ArrayList<>();
    for (JavaClass type : module) {
      int layer = layerOf(type);
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (module.contain(target.getName()) && layerOf(target) < layer) {
          uses.add(dependency.getDescription());
        }
      }
    }
    return uses;
  }

  /** The index of the layer, from the top; the number of layers if the class is in none. */
  private int layerOf(JavaClass type) {
    int layer = 0;
    while (layer < matchers.size() && !matchers.get(layer).matches(type.getPackageName())) {
      layer++;
    }
    return layer;
  }
}
