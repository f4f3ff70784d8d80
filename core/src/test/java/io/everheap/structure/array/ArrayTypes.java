package io.everheap.structure.array;

import io.everheap.collection.DurableBooleanArray;
import io.everheap.collection.DurableByteArray;
import io.everheap.collection.DurableCharArray;
import io.everheap.collection.DurableDoubleArray;
import io.everheap.collection.DurableFloatArray;
import io.everheap.collection.DurableIntArray;
import io.everheap.collection.DurableLongArray;
import io.everheap.collection.DurableShortArray;
import io.everheap.collection.PrimitiveArray;
import io.everheap.collection.Shape;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The arrays of all primitive types, by reflection: one test for eight classes. */
public record ArrayTypes(Class<? extends PrimitiveArray<?>> type, Class<?> primitive) {
  static Stream<ArrayTypes> all() {
    return List.of(
        of(DurableBooleanArray.class, boolean.class),
        of(DurableByteArray.class, byte.class),
        of(DurableShortArray.class, short.class),
        of(DurableCharArray.class, char.class),
        of(DurableIntArray.class, int.class),
        of(DurableLongArray.class, long.class),
        of(DurableFloatArray.class, float.class),
        of(DurableDoubleArray.class, double.class))
        .stream();
  }

  private static ArrayTypes of(Class<? extends PrimitiveArray<?>> type, Class<?> primitive) {
    return new ArrayTypes(type, primitive);
  }

  @SuppressWarnings("unchecked")
  Shape<PrimitiveArray<Object>> ofLength(long length) {
    return (Shape<PrimitiveArray<Object>>)
        call(null, "ofLength", new Class<?>[] {long.class}, length);
  }

  @SuppressWarnings("unchecked")
  Shape<PrimitiveArray<Object>> of(String method, Object values) {
    Class<?>[] parameters = {primitive.arrayType()};
    return (Shape<PrimitiveArray<Object>>) call(null, method, parameters, values);
  }

  Object get(PrimitiveArray<?> array, long index) {
    return call(array, "get", new Class<?>[] {long.class}, index);
  }

  void set(PrimitiveArray<?> array, long index, Object value) {
    call(array, "set", new Class<?>[] {long.class, primitive}, index, value);
  }

  Object getAndSet(PrimitiveArray<?> array, long index, Object value) {
    return call(array, "getAndSet", new Class<?>[] {long.class, primitive}, index, value);
  }

  void fill(PrimitiveArray<?> array, long from, long to, Object value) {
    call(array, "fill", new Class<?>[] {long.class, long.class, primitive}, from, to, value);
  }

  long binarySearch(PrimitiveArray<?> array, Object key) {
    return (long) call(array, "binarySearch", new Class<?>[] {primitive}, key);
  }

  Object newArray(int length) {
    return Array.newInstance(primitive, length);
  }

  /** A value of the type that differs for most numbers. */
  Object value(long number) {
    long mixed = number * 0x9E37_79B9_7F4A_7C15L;
    return switch (primitive.getName()) {
      case "boolean" -> mixed < 0;
      case "byte" -> (byte) (mixed >>> 13);
      case "short" -> (short) (mixed >>> 13);
      case "char" -> (char) (mixed >>> 13);
      case "int" -> (int) (mixed >>> 13);
      case "float" -> (float) (mixed >> 20);
      case "double" -> (double) (mixed >> 9);
      default -> mixed;
    };
  }

  /** A Java array of such values. */
  Object values(long first, int length) {
    Object array = newArray(length);
    for (int i = 0; i < length; i++) {
      Array.set(array, i, value(first + i));
    }
    return array;
  }

  private Object call(Object on, String method, Class<?>[] parameters, Object... arguments) {
    try {
      return type.getMethod(method, parameters).invoke(on, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError(e);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    return type.getSimpleName().toLowerCase(Locale.ROOT);
  }
}
