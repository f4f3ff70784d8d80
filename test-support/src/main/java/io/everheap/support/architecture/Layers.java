package io.everheap.support.architecture;

import com.tngtech.archunit.core.domain.PackageMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The layers of one module, from top to bottom, each with the packages that it consists of. */
final class Layers {
  private final Graph classes;
  private final List<String> identifiers;
  private final List<PackageMatcher> matchers;

  Layers(List<String> identifiers, Graph classes) {
    this.identifiers = identifiers;
    this.classes = classes;
    matchers = identifiers.stream().map(PackageMatcher::of).toList();
  }

  /** The packages that belong to no layer or to several, and the layers without a package. */
  List<String> mismatches() {
    List<String> mismatches = new ArrayList<>();
    Set<String> used = new TreeSet<>();
    for (String name : classes.packages().nodes()) {
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

  /** The uses of a class by one in a lower layer. */
  List<String> upwardUses() {
    List<String> uses = new ArrayList<>();
    for (String name : classes.nodes()) {
      for (String used : classes.usedBy(name)) {
        if (layerOf(used) < layerOf(name)) {
          uses.add(name + " uses " + used);
        }
      }
    }
    return uses;
  }

  /** The index of a class's layer, from the top; the number of layers if it is in none. */
  private int layerOf(String className) {
    String name = Graph.packageName(className);
    int layer = 0;
    while (layer < matchers.size() && !matchers.get(layer).matches(name)) {
      layer++;
    }
    return layer;
  }
}
