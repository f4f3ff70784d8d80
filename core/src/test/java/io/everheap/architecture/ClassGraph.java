package io.everheap.architecture;

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

/** Which top-level class names which; nested classes count as their outer one. */
final class ClassGraph {
  private static final String LIBRARY = "io.everheap.";

  private final Map<String, Set<String>> arrows = new TreeMap<>();
  private final Map<String, Integer> found = new HashMap<>();
  private final Map<String, Integer> lowest = new HashMap<>();
  private final Deque<String> open = new ArrayDeque<>();
  private final List<Set<String>> cycles = new ArrayList<>();

  private ClassGraph() {}

  static ClassGraph of(JavaClasses library) {
    var graph = new ClassGraph();
    for (JavaClass type : library) {
      String from = outermost(type);
      Set<String> targets = graph.arrows.computeIfAbsent(from, name -> new TreeSet<>());
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        String to = outermost(dependency.getTargetClass().getBaseComponentType());
        if (to.startsWith(LIBRARY) && !to.equals(from)) {
          targets.add(to);
        }
      }
    }
    return graph;
  }

  /** The full name of the top-level class that a class is in. */
  static String outermost(JavaClass type) {
    String name = type.getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  /** All top-level classes. */
  Set<String> classes() {
    return arrows.keySet();
  }

  /** The strongly connected components with more than one class (Tarjan 1972). */
  List<Set<String>> cycles() {
    for (String name : arrows.keySet()) {
      if (!found.containsKey(name)) {
        visit(name);
      }
    }
    return cycles;
  }

  private void visit(String name) {
    int number = found.size();
    found.put(name, number);
    lowest.put(name, number);
    open.push(name);
    for (String target : arrows.getOrDefault(name, Set.of())) {
      if (!found.containsKey(target)) {
        visit(target);
        lowest.merge(name, lowest.get(target), Math::min);
      } else if (open.contains(target)) {
        lowest.merge(name, found.get(target), Math::min);
      }
    }
    if (lowest.get(name) == number) {
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
