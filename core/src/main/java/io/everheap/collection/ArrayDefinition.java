package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.collection.lifecycle.ChunkedLifecycle;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What it takes to make or find an array of primitive values.
 *
 * @param codec of the elements
 * @param width bytes of an element
 * @param length number of elements; {@link #ANY_LENGTH} for an existing array
 * @param initial stores to a new array; null for one of zeros
 * @param frozen whether a new one is immutable from then on
 * @param attach makes a handle
 */
record ArrayDefinition<S extends PrimitiveArray<?>>(
    Codec<?> codec,
    int width,
    long length,
    @Nullable Consumer<? super S> initial,
    boolean frozen,
    Attach<S> attach)
    implements Definition<S> {
  /** Stands for the length of whatever array there is. */
  static final long ANY_LENGTH = -1;

  /** Makes a handle. */
  interface Attach<S> {
    /** To what exists, or was freed: then every method of the handle throws. */
    S to(Engine engine, long reference);
  }

  @Override
  public StructureKind kind() {
    return ArrayKind.INSTANCE;
  }

  @Override
  public List<Codec<?>> codecs() {
    return List.of(codec);
  }

  @Override
  public long create(Engine engine, long[] types) {
    if (length < 0 || length > Long.MAX_VALUE / 16) {
      throw new IllegalArgumentException("an array cannot have " + length + " elements");
    }
    long bytes = length * width;
    long reference =
        ChunkedLifecycle.create(engine, BlockType.ARRAY_HEADER, types[0], bytes, width);
    if (initial != null) {
      S array = attach.to(engine, reference);
      initial.accept(array);
      if (frozen) {
        array.freeze();
      }
    }
    return reference;
  }

  @Override
  public S attach(Engine engine, long reference) {
    S array = attach.to(engine, reference);
    array.requireAlive();
    if (length != ANY_LENGTH && array.length() != length) {
      throw new IllegalArgumentException(
          "the array has " + array.length() + " elements, not " + length);
    }
    return array;
  }

  @Override
  public S dead(Engine engine, long reference) {
    return attach.to(engine, reference);
  }
}
