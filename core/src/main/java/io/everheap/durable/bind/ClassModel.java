package io.everheap.durable.bind;

import io.everheap.codec.Was;
import io.everheap.durable.Durable;
import io.everheap.durable.handle.WovenClass;
import io.everheap.durable.runtime.DurableObject;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a durable interface or class declares: its name, its durable supertypes, and its fields. A
 * type that cannot be implemented may still be the type of references. Not changed after the
 * constructor; built by one thread.
 */
final class ClassModel {
  final Class<?> type;
  final String name;
  final Set<String> supertypes = new TreeSet<>();
  final Map<String, Property> properties = new TreeMap<>();

  /** Why there can be no objects of exactly this type, and what to change; null if there can. */
  @Nullable String problem;

  /** A field of a durable interface or class: all methods that read and write it, and its type. */
  static final class Property {
    final String name;
    final List<Method> getters = new ArrayList<>();
    final List<Method> setters = new ArrayList<>();
    final Set<String> formerly = new LinkedHashSet<>();
    @Nullable Type type;

    Property(String name) {
      this.name = name;
    }
  }

  private final GenericTypes generics;
  private final Set<String> signatures = new HashSet<>();

  /**
   * Reads an interface or a class.
   *
   * @throws IllegalArgumentException if it is not marked as durable, or not woven
   */
  ClassModel(Class<?> type) {
    this.type = type;
    this.name = nameOf(type);
    this.generics = new GenericTypes(type);
    collectSupertypes(type);
    if (type.isInterface()) {
      describeInterface();
    } else {
      describeClass(type);
    }
  }

  private void describeInterface() {
    problem = AtomicDefaults.problem(type);
    List<Method> methods = Arrays.stream(type.getMethods()).filter(ClassModel::isAbstract).toList();
    methods.forEach(m -> signatures.add(signature(m.getName(), m.getParameterCount())));
    methods.forEach(this::add);
    properties.values().forEach(this::requireComplete);
    if (type.isSealed()) {
      problem = type.getName() + " is sealed: make an object of an interface that it permits";
    }
  }

  private void describeClass(Class<?> of) {
    Class<?> parent = of.getSuperclass();
    if (parent != DurableObject.class && parent != null) {
      requireDurable(parent);
      describeClass(parent);
    }
    for (Method getter : WovenClass.getters(of)) {
      Property property = property(WovenClass.fieldOf(getter));
      if (!property.getters.isEmpty()) {
        throw new IllegalArgumentException(
            of.getName()
                + " and a class that it extends both have a field "
                + property.name
                + ": give one of them another name");
      }
      property.getters.add(getter);
      describe(property, getter, getter.getGenericReturnType());
    }
    if (of == type && Modifier.isAbstract(type.getModifiers())) {
      problem = type.getName() + " is abstract: make an object of a class that extends it";
    }
  }

  private static void requireDurable(Class<?> parent) {
    nameOf(parent);
  }

  /** Whether a class is marked as durable. */
  static boolean isDurable(Class<?> type) {
    return type.isAnnotationPresent(Durable.class);
  }

  /**
   * Returns the name of a type in heaps.
   *
   * @throws IllegalArgumentException if the class is not durable, or not woven
   */
  static String nameOf(Class<?> type) {
    Durable durable = type.getAnnotation(Durable.class);
    if (durable == null) {
      throw new IllegalArgumentException(type.getName() + " is not marked with @Durable");
    }
    if (type.isAnnotationPresent(Was.class)) {
      throw new IllegalArgumentException(
          type.getName()
              + " is durable: give the name that it had by @Durable(name = ...), not @Was");
    }
    if (!type.isInterface()) {
      WovenClass.requireWoven(type);
    }
    return durable.name().isEmpty() ? type.getName() : durable.name();
  }

  private void collectSupertypes(Class<?> of) {
    Class<?> parent = of.getSuperclass();
    if (parent != null) {
      if (isDurable(parent)) {
        supertypes.add(nameOf(parent));
      }
      collectSupertypes(parent);
    }
    for (Class<?> extended : of.getInterfaces()) {
      if (isDurable(extended)) {
        supertypes.add(nameOf(extended));
      }
      collectSupertypes(extended);
    }
  }

  /** Whether a method must be implemented: abstract, and not a method of {@link Object}. */
  private static boolean isAbstract(Method method) {
    if (!Modifier.isAbstract(method.getModifiers())) {
      return false;
    }
    try {
      Object.class.getMethod(method.getName(), method.getParameterTypes());
      return false;
    } catch (NoSuchMethodException e) {
      return true;
    }
  }

  private static String signature(String name, int parameters) {
    return name + '/' + parameters;
  }

  private void add(Method method) {
    String of = method.getName();
    if (method.getParameterCount() == 0 && method.getReturnType() != void.class) {
      Property property = property(getterProperty(of, method.getReturnType()));
      property.getters.add(method);
      describe(property, method, method.getGenericReturnType());
    } else if (method.getParameterCount() == 1 && returnsVoidOrSelf(method)) {
      Property property = property(setterProperty(of));
      property.setters.add(method);
      describe(property, method, method.getGenericParameterTypes()[0]);
    } else {
      refuse(method, "it neither reads nor writes a field: make it a default method");
    }
  }

  private boolean returnsVoidOrSelf(Method method) {
    return method.getReturnType() == void.class || method.getReturnType().isAssignableFrom(type);
  }

  private Property property(String called) {
    return properties.computeIfAbsent(called, Property::new);
  }

  private String getterProperty(String method, Class<?> returns) {
    String bean = null;
    if (!signatures.contains(signature(method, 1))) {
      bean = after("get", method);
      if (bean == null && (returns == boolean.class || returns == Boolean.class)) {
        bean = after("is", method);
      }
    }
    return bean != null ? bean : method;
  }

  private String setterProperty(String method) {
    String bean = signatures.contains(signature(method, 0)) ? null : after("set", method);
    return bean != null ? bean : method;
  }

  /** Returns {@code balance} for {@code getBalance}, {@code URL} for {@code getURL}. */
  private static @Nullable String after(String prefix, String method) {
    int at = prefix.length();
    if (!method.startsWith(prefix)
        || method.length() == at
        || !Character.isUpperCase(method.charAt(at))) {
      return null;
    }
    boolean acronym = method.length() > at + 1 && Character.isUpperCase(method.charAt(at + 1));
    String rest = method.substring(at);
    return acronym ? rest : Character.toLowerCase(rest.charAt(0)) + rest.substring(1);
  }

  private void describe(Property property, Method method, Type declared) {
    Was was = method.getAnnotation(Was.class);
    if (was != null) {
      property.formerly.addAll(Arrays.asList(was.value()));
    }
    Type resolved = generics.resolve(declared);
    Type known = property.type;
    if (known == null || isNarrower(resolved, known)) {
      property.type = resolved;
    } else if (!known.getTypeName().equals(resolved.getTypeName())
        && !isNarrower(known, resolved)) {
      refuse(method, "the field has type " + known.getTypeName() + " in another of its methods");
    }
  }

  /** An overriding method may return a subtype, which is the type of the field then. */
  private static boolean isNarrower(Type one, Type other) {
    Class<?> a = GenericTypes.raw(one);
    Class<?> b = GenericTypes.raw(other);
    return !a.equals(b) && b.isAssignableFrom(a);
  }

  private void requireComplete(Property property) {
    if (problem != null) {
      return; // the problem is one of its methods
    }
    if (property.setters.isEmpty()) {
      refuse(
          property.getters.getFirst(),
          "nothing writes this field: add 'void "
              + property.name
              + "("
              + property.getters.getFirst().getReturnType().getSimpleName()
              + " value)', or make it a default method");
    } else if (property.getters.isEmpty()) {
      refuse(
          property.setters.getFirst(),
          "nothing reads this field: add '"
              + property.setters.getFirst().getParameterTypes()[0].getSimpleName()
              + " "
              + property.name
              + "()', or make it a default method");
    }
  }

  private void refuse(Method method, String why) {
    if (problem == null) {
      problem =
          "The durable interface " + type.getName() + " has the method " + method + ": " + why;
    }
  }
}
