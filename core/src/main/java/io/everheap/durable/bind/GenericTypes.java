package io.everheap.durable.bind;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The bindings of the type variables of a type and of its supertypes in that type. */
final class GenericTypes {
  private final Map<TypeVariable<?>, Type> bindings = new HashMap<>();

  GenericTypes(Class<?> type) {
    collect(type);
  }

  private void collect(Class<?> type) {
    Class<?> parent = type.getSuperclass();
    if (parent != null) {
      bind(type.getGenericSuperclass());
      collect(parent);
    }
    for (Type extended : type.getGenericInterfaces()) {
      bind(extended);
    }
    for (Class<?> extended : type.getInterfaces()) {
      collect(extended);
    }
  }

  private void bind(Type extended) {
    if (extended instanceof ParameterizedType generic) {
      Class<?> raw = (Class<?>) generic.getRawType();
      TypeVariable<?>[] variables = raw.getTypeParameters();
      for (int i = 0; i < variables.length; i++) {
        bindings.putIfAbsent(variables[i], resolve(generic.getActualTypeArguments()[i]));
      }
    }
  }

  /** Replaces the variables in a type: by what they are bound to, or else by their bounds. */
  Type resolve(Type type) {
    return switch (type) {
      case TypeVariable<?> variable -> {
        Type bound = bindings.get(variable);
        yield bound != null ? bound : resolve(raw(variable.getBounds()[0]));
      }
      case ParameterizedType generic ->
          new Parameterized(
              (Class<?>) generic.getRawType(),
              Arrays.stream(generic.getActualTypeArguments()).map(this::resolve).toList());
      case GenericArrayType array -> {
        Type element = resolve(array.getGenericComponentType());
        yield element instanceof Class<?> c ? c.arrayType() : new ArrayOf(element);
      }
      case WildcardType wildcard -> resolve(wildcard.getUpperBounds()[0]);
      default -> type;
    };
  }

  /** Returns the class of a type without variables. */
  static Class<?> raw(Type type) {
    return switch (type) {
      case Class<?> c -> c;
      case ParameterizedType generic -> (Class<?>) generic.getRawType();
      case GenericArrayType array -> raw(array.getGenericComponentType()).arrayType();
      case TypeVariable<?> variable -> raw(variable.getBounds()[0]);
      case WildcardType wildcard -> raw(wildcard.getUpperBounds()[0]);
      default -> throw new IllegalArgumentException("unknown kind of type: " + type);
    };
  }

  /** A class with type arguments. */
  private record Parameterized(Class<?> raw, List<Type> arguments) implements ParameterizedType {
    @Override
    public Type[] getActualTypeArguments() {
      return arguments.toArray(Type[]::new);
    }

    @Override
    public Type getRawType() {
      return raw;
    }

    @Override
    @SuppressWarnings("NullAway") // null is correct for a class that is not nested
    public Type getOwnerType() {
      return raw.getDeclaringClass();
    }
  }

  /** An array of elements with type arguments. */
  private record ArrayOf(Type element) implements GenericArrayType {
    @Override
    public Type getGenericComponentType() {
      return element;
    }
  }
}
