package io.everheap.codec.composite;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;

/**
 * Method handles for the accessors and the constructor of a record class. Their types do not depend
 * on the class, and primitive components pass through words instead of boxes.
 */
final class RecordHandles {
  private RecordHandles() {}

  /** {@code (Object record) -> long} for a primitive component, else {@code -> Object}. */
  static MethodHandle getter(MethodHandles.Lookup lookup, RecordComponent component)
      throws IllegalAccessException {
    MethodHandle getter = lookup.unreflect(component.getAccessor());
    Class<?> type = component.getType();
    if (!type.isPrimitive()) {
      return getter.asType(methodType(Object.class, Object.class));
    }
    return MethodHandles.explicitCastArguments(
        MethodHandles.filterReturnValue(getter, toBits(type)),
        methodType(long.class, Object.class));
  }

  /**
   * {@code (long[] words, Object[] objects) -> Object}: creates a record whose component i is in
   * place i of the array for its type.
   */
  static MethodHandle constructor(MethodHandles.Lookup lookup, Class<?> type)
      throws IllegalAccessException {
    Class<?>[] types =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    MethodHandle constructor = lookup.unreflectConstructor(canonical(type, types));
    int[] order = new int[types.length];
    for (int i = 0; i < types.length; i++) {
      order[i] = types[i].isPrimitive() ? 0 : 1;
      constructor = MethodHandles.filterArguments(constructor, i, element(types[i], i));
    }
    return MethodHandles.permuteArguments(
        constructor.asType(constructor.type().changeReturnType(Object.class)),
        methodType(Object.class, long[].class, Object[].class),
        order);
  }

  private static Constructor<?> canonical(Class<?> type, Class<?>[] components) {
    try {
      return type.getDeclaredConstructor(components);
    } catch (NoSuchMethodException e) {
      throw new AssertionError((Type) type + " has no canonical constructor", e);
    }
  }

  /** Loads element {@code index} of the array for a component's type, as that type. */
  private static MethodHandle element(Class<?> type, int index) {
    if (!type.isPrimitive()) {
      return MethodHandles.insertArguments(
              MethodHandles.arrayElementGetter(Object[].class), 1, index)
          .asType(methodType(type, Object[].class));
    }
    MethodHandle fromBits = fromBits(type);
    MethodHandle word =
        MethodHandles.insertArguments(MethodHandles.arrayElementGetter(long[].class), 1, index);
    return MethodHandles.filterReturnValue(
        MethodHandles.explicitCastArguments(
            word, methodType(fromBits.type().parameterType(0), long[].class)),
        fromBits);
  }

  /** Bytes of a primitive type; 0 for others. */
  static int width(Class<?> type) {
    return switch (type.getName()) {
      case "long", "double" -> 8;
      case "int", "float" -> 4;
      case "short", "char" -> 2;
      case "byte", "boolean" -> 1;
      default -> 0;
    };
  }

  /** From a primitive value to what stands for it in a word. */
  private static MethodHandle toBits(Class<?> type) {
    return switch (type.getName()) {
      case "float" -> find(Float.class, "floatToIntBits", int.class, type);
      case "double" -> find(Double.class, "doubleToLongBits", long.class, type);
      default -> MethodHandles.identity(type);
    };
  }

  /** The inverse of {@link #toBits}. */
  private static MethodHandle fromBits(Class<?> type) {
    return switch (type.getName()) {
      case "float" -> find(Float.class, "intBitsToFloat", type, int.class);
      case "double" -> find(Double.class, "longBitsToDouble", type, long.class);
      default -> MethodHandles.identity(type);
    };
  }

  private static MethodHandle find(Class<?> in, String name, Class<?> result, Class<?> argument) {
    try {
      return MethodHandles.publicLookup().findStatic(in, name, methodType(result, argument));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
