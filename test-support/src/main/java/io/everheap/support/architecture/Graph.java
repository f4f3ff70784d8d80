package io.everheap.support.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The dependencies inside one module, between its top-level classes or between its packages. A
 * nested class counts as its outermost one, and an array as its elements.
 */
final class Graph {
  private final Map<String, Set<String>> arrows = new TreeMap<>();

  private Graph(JavaClasses module, Function<JavaClass, String> node) {
    for (JavaClass type : module) {
      arrows.computeIfAbsent(node.apply(type), name -> new TreeSet<>());
    }
    for (JavaClass type : module) {
      String from = node.apply(type);
      Set<String> targets = arrows.getOrDefault(from, Set.of());
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        String to = node.apply(target);
        if (module.contain(target.getName()) && !to.equals(from)) {
          targets.add(to);
        }
      }
    }
  }

  static Graph ofClasses(JavaClasses module) {
    return new Graph(module, Graph::outermost);
  }

  static Graph ofPackages(JavaClasses module) {
    return new Graph(module, JavaClass::getPackageName);
  }

  private static String outermost(JavaClass type) {
    String name = type.getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  static String simpleName(String className) {
    return className.substring(className.lastIndexOf('.') + 1);
  }

  /** The names of all classes, or of all packages, in their order. */
  Set<String> nodes() {
    return arrows.keySet();
  }

  /** The names that a class, or a package, uses, without itself. */
  Set<String> usedBy(String name) {
    return arrows.getOrDefault(name, Set.of());
  }

  /** The strongly connected components with more than one node. */
  List<Set<String>> cycles() {
    return new Search().run();
  }

  /** The algorithm of Tarjan (1972). */
  private final class Search {
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Deque<String> open = new ArrayDeque<>();
    private final List<Set<String>> cycles = new ArrayList<>();

    List<Set<String>> run() {
      for (String name : nodes()) {
        if (!numbers.containsKey(name)) {
          visit(name);
        }
      }
      return cycles;
    }

    /** Returns the lowest number that the node reaches. */
    private int visit(String name) {
      int number = numbers.size();
      numbers.put(name, number);
      open.push(name);
      int low = number;
      for (String target : usedBy(name)) {
        Integer known = numbers.get(target);
        if (known == null) {
          low = Math.min(low, visit(target));
        } else if (open.contains(target)) {
          low = Math.min(low, known);
        }
      }
      if (low == number) {
        close(name);
      }
      return low;
    }

    private void close(String name) {
      Set<String> component = new TreeSet<>();
      while (!component.contains(name)) {
        component.add(open.pop());
      }
      if (component.size() > 1) {
        cycles.add(component);
      }
    }
  }
}
