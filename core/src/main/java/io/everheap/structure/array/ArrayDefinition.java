package io.everheap.structure.array;

import io.everheap.codec.Codec;
import io.everheap.engine.alloc.BlockType;
import io.everheap.structure.bytes.ChunkedLifecycle;
import io.everheap.structure.common.Attach;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureKind;
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
public record ArrayDefinition<S extends PrimitiveArrayHandle<?>>(
    Codec<?> codec,
    int width,
    long length,
    @Nullable Consumer<? super S> initial,
    boolean frozen,
    Attach<S> attach)
    implements Definition<S> {
  /** Stands for the length of whatever array there is. */
  static final long ANY_LENGTH = -1;

  @Override
  public StructureKind kind() {
    return ArrayKind.INSTANCE;
  }

  @Override
  public List<Codec<?>> codecs() {
    return List.of(codec);
  }

  @Override
  public long create(StructureContext heap, long[] types) {
    if (length < 0 || length > Long.MAX_VALUE / 16) {
      throw new IllegalArgumentException("an array cannot have " + length + " elements");
    }
    long bytes = length * width;
    long reference = ChunkedLifecycle.create(heap, BlockType.ARRAY_HEADER, types[0], bytes, width);
    if (initial != null) {
      S array = attach.to(heap, reference);
      initial.accept(array);
      if (frozen) {
        array.freeze();
      }
    }
    return reference;
  }

  @Override
  public S attach(StructureContext heap, long reference) {
    S array = attach.to(heap, reference);
    array.requireAlive();
    if (length != ANY_LENGTH && array.length() != length) {
      throw new IllegalArgumentException(
          "the array has " + array.length() + " elements, not " + length);
    }
    return array;
  }

  @Override
  public S dead(StructureContext heap, long reference) {
    return attach.to(heap, reference);
  }
}
