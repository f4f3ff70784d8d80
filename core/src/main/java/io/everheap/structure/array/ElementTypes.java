package io.everheap.structure.array;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.structure.common.Attach;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.ShapeParts;
import java.util.Map;

/** The arrays of primitive values by the classes of their elements. */
final class ElementTypes {
  private static final Map<Class<?>, Type<?, ?>> ALL =
      Map.of(
          boolean.class, new Type<>(Codecs.BOOLEAN, 1, BooleanArrayHandle::new),
          byte.class, new Type<>(Codecs.BYTE, 1, ByteArrayHandle::new),
          short.class, new Type<>(Codecs.SHORT, 2, ShortArrayHandle::new),
          char.class, new Type<>(Codecs.CHAR, 2, CharArrayHandle::new),
          int.class, new Type<>(Codecs.INT, 4, IntArrayHandle::new),
          long.class, new Type<>(Codecs.LONG, 8, LongArrayHandle::new),
          float.class, new Type<>(Codecs.FLOAT, 4, FloatArrayHandle::new),
          double.class, new Type<>(Codecs.DOUBLE, 8, DoubleArrayHandle::new));

  private ElementTypes() {}

  /** How elements of a class are kept, and what makes handles of such arrays. */
  private record Type<A, S extends PrimitiveArrayHandle<A>>(
      Codec<?> codec, int width, Attach<S> attach) {
    Definition<?> ofLength(long length) {
      return new ArrayDefinition<>(codec, width, length, null, false, attach);
    }

    @SuppressWarnings("unchecked") // of the class that this is for
    Definition<?> of(Object values, boolean frozen) {
      int length = java.lang.reflect.Array.getLength(values);
      return new ArrayDefinition<>(
          codec, width, length, array -> array.copyFrom(0, (A) values, 0, length), frozen, attach);
    }
  }

  /** What a shape stands for: a class and a length, or elements and whether they never change. */
  static Definition<?> define(ShapeParts parts) {
    Type<?, ?> type = ALL.get(parts.get(0, Class.class));
    if (type == null) {
      throw new IllegalArgumentException(parts.get(0, Class.class) + " is no primitive class");
    }
    return parts.is(1, Long.class)
        ? type.ofLength(parts.get(1, Long.class))
        : type.of(parts.get(1, Object.class), parts.get(2, Boolean.class));
  }
}
