package io.everheap.support.architecture;

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

/**
 * The dependencies inside one module, between its top-level classes or between its packages. A
 * nested class counts as its outermost one.
 */
final class Graph {
  private final Map<String, Set<String>> arrows = new TreeMap<>();

  private Graph() {}

  static Graph ofClasses(JavaClasses module) {
    var graph = new Graph();
    for (JavaClass type : module) {
      String name = outermost(type);
      graph.add(name, name);
      for (String used : Uses.of(type)) {
        if (module.contain(used)) {
          graph.add(name, outermost(module.get(used)));
        }
      }
    }
    return graph;
  }

  /** The dependencies between the packages of these classes. */
  Graph packages() {
    var graph = new Graph();
    arrows.forEach(
        (name, targets) -> {
          graph.add(packageName(name), packageName(name));
          targets.forEach(used -> graph.add(packageName(name), packageName(used)));
        });
    return graph;
  }

  private void add(String from, String to) {
    Set<String> targets = arrows.computeIfAbsent(from, name -> new TreeSet<>());
    if (!to.equals(from)) {
      targets.add(to);
    }
  }

  static String outermost(JavaClass type) {
    String name = type.getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  static String packageName(String className) {
    return className.substring(0, className.lastIndexOf('.'));
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
