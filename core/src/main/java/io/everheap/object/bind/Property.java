package io.everheap.object.bind;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A field of a durable interface or class: all methods that read and write it, and its type. */
final class Property {
  final String name;
  final List<Method> getters = new ArrayList<>();
  final List<Method> setters = new ArrayList<>();
  final Set<String> formerly = new LinkedHashSet<>();
  @Nullable Type type;

  Property(String name) {
    this.name = name;
  }
}
