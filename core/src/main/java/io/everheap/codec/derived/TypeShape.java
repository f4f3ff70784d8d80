package io.everheap.codec.derived;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A type without variables: a class and its type arguments. An array of objects has its element as
 * its only argument.
 */
record TypeShape(Class<?> raw, List<TypeShape> arguments) {

  /** The shape of a type, with variables replaced by what they are bound to, else their bound. */
  static TypeShape of(Type type, Map<TypeVariable<?>, TypeShape> bindings) {
    if (type
        instanceof Class<?> c) { // nearly always; an opening meets no switch with patterns then
      boolean ofObjects = c.isArray() && !c.getComponentType().isPrimitive();
      return new TypeShape(c, ofObjects ? List.of(of(c.getComponentType(), bindings)) : List.of());
    }
    return switch (type) {
      case ParameterizedType generic -> {
        List<TypeShape> arguments = new ArrayList<>();
        for (Type argument : generic.getActualTypeArguments()) {
          arguments.add(of(argument, bindings));
        }
        yield new TypeShape((Class<?>) generic.getRawType(), List.copyOf(arguments));
      }
      case GenericArrayType array -> {
        TypeShape element = of(array.getGenericComponentType(), bindings);
        yield new TypeShape(element.raw.arrayType(), List.of(element));
      }
      case WildcardType wildcard -> of(wildcard.getUpperBounds()[0], bindings);
      case TypeVariable<?> variable -> {
        TypeShape bound = bindings.get(variable);
        yield bound != null ? bound : new TypeShape(erasure(variable), List.of());
      }
      default -> throw new IllegalArgumentException("unknown kind of type: " + type);
    };
  }

  /** Like the record's own one, which is linked when it is first called. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TypeShape shape
        && raw == shape.raw
        && arguments.equals(shape.arguments);
  }

  @Override
  public int hashCode() {
    return 31 * raw.hashCode() + arguments.hashCode();
  }

  /** The bindings of the type variables of the class in this type. */
  Map<TypeVariable<?>, TypeShape> bindings() {
    Map<TypeVariable<?>, TypeShape> bindings = new HashMap<>();
    TypeVariable<?>[] variables = raw.getTypeParameters();
    for (int i = 0; i < arguments.size() && i < variables.length; i++) {
      bindings.put(variables[i], arguments.get(i));
    }
    return bindings;
  }

  /** A direct subclass, with the type arguments that follow from this type's. */
  TypeShape subtype(Class<?> subclass) {
    TypeVariable<?>[] variables = subclass.getTypeParameters();
    Map<TypeVariable<?>, TypeShape> bound = new HashMap<>();
    match(subclass.getGenericSuperclass(), bound); // null for an interface
    for (Type implemented : subclass.getGenericInterfaces()) {
      match(implemented, bound);
    }
    List<TypeShape> found = new ArrayList<>();
    for (TypeVariable<?> variable : variables) {
      found.add(of(variable, bound));
    }
    return new TypeShape(subclass, List.copyOf(found));
  }

  private void match(@Nullable Type supertype, Map<TypeVariable<?>, TypeShape> bound) {
    if (supertype instanceof ParameterizedType generic && generic.getRawType() == raw) {
      Type[] formal = generic.getActualTypeArguments();
      for (int i = 0; i < formal.length && i < arguments.size(); i++) {
        if (formal[i] instanceof TypeVariable<?> variable) {
          bound.put(variable, arguments.get(i));
        }
      }
    }
  }

  private static Class<?> erasure(TypeVariable<?> variable) {
    Type bound = variable.getBounds()[0];
    while (!(bound instanceof Class<?> c)) {
      bound =
          bound instanceof TypeVariable<?> other
              ? other.getBounds()[0]
              : ((ParameterizedType) bound).getRawType();
    }
    return c;
  }

  /** The full name, as in source code. */
  @Override
  public String toString() {
    if (raw.isArray()) {
      return (arguments.isEmpty() ? raw.getComponentType().getName() : arguments.getFirst()) + "[]";
    }
    if (arguments.isEmpty()) {
      return raw.getName();
    }
    var text = new StringJoiner(",", raw.getName() + "<", ">");
    arguments.forEach(argument -> text.add(argument.toString()));
    return text.toString();
  }
}
