package io.everheap.structure.common;

import io.everheap.codec.Codec;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.collection.Shape;
import io.everheap.collection.Structure;
import io.everheap.error.UnsupportedTypeException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Codecs of structures that are values, found by a Java type as a field has it: {@code
 * DurableMap<String, DurableSet<Long>>}. For use by the heap.
 */
public final class StructureCodecs {
  private final StructureContext heap;
  private final CodecRegistry codecs;

  /**
   * Codecs of the structures of a heap.
   *
   * @param codecs of what the structures hold
   */
  public StructureCodecs(StructureContext heap, CodecRegistry codecs) {
    this.heap = heap;
    this.codecs = codecs;
  }

  /**
   * The codec of a type, bound to the heap; null if it is no structure.
   *
   * @throws UnsupportedTypeException if it is a structure that has no codec
   */
  public @Nullable Codec<?> of(Type type) {
    if (!Structure.class.isAssignableFrom(raw(type))) {
      return null;
    }
    Shape<?> shape = shape(type);
    Definition<?> definition = Shapes.define(heap.kinds(), shape, codecs);
    NestedCodec.requireNames(definition);
    return NestedCodec.bound(NestedCodec.of(definition, heap.kinds()), heap);
  }

  private static Class<?> raw(Type type) {
    return switch (type) {
      case Class<?> c -> c;
      case ParameterizedType generic -> (Class<?>) generic.getRawType();
      default -> Object.class;
    };
  }

  private Shape<?> shape(Type type) {
    Type[] arguments =
        type instanceof ParameterizedType generic ? generic.getActualTypeArguments() : new Type[0];
    Object[] parts = new Object[arguments.length];
    for (int i = 0; i < parts.length; i++) {
      Type part = arguments[i];
      parts[i] =
          Structure.class.isAssignableFrom(raw(part))
              ? NestedCodec.of(Shapes.define(heap.kinds(), shape(part), codecs), heap.kinds())
              : codecs.forType(part);
    }
    for (Method method : raw(type).getMethods()) {
      if (isShape(method, parts.length)) {
        try {
          return (Shape<?>) method.invoke(null, parts);
        } catch (ReflectiveOperationException e) {
          throw unsupported(type, e);
        }
      }
    }
    throw unsupported(type, null);
  }

  /** Whether a method makes shapes of codecs and of nothing else. */
  private static boolean isShape(Method method, int parts) {
    return Modifier.isStatic(method.getModifiers())
        && (method.getName().equals("of") || method.getName().equals("ofAnyLength"))
        && method.getReturnType() == Shape.class
        && method.getParameterCount() == parts
        && Arrays.stream(method.getParameterTypes()).allMatch(p -> p == Codec.class);
  }

  private static UnsupportedTypeException unsupported(Type type, @Nullable Throwable cause) {
    return new UnsupportedTypeException(
        type.getTypeName(),
        raw(type).getSimpleName(),
        "a structure in a field needs its type arguments, and shapes made of codecs alone",
        cause);
  }
}
