package io.everheap.durable.bind;

import io.everheap.codec.reference.ObjectCodec;
import io.everheap.durable.handle.Attachments;
import io.everheap.durable.handle.BoundType;
import io.everheap.durable.handle.ObjectMemory;
import io.everheap.durable.handle.OwnObjects;
import org.jspecify.annotations.Nullable;

/**
 * The codec of the objects of one type in one open heap: it encodes them as references. It needs
 * only the class, so it can exist before the type is bound.
 *
 * <p>Safe for use by many threads.
 */
final class HeapObjectCodec<T> implements ObjectCodec<T> {
  private final BoundType.Types types;
  private final ObjectMemory memory;
  private final Class<T> javaClass;
  private final String type;

  /** Cache; every thread computes the same value. */
  private @Nullable BoundType bound;

  HeapObjectCodec(BoundType.Types types, ObjectMemory memory, Class<T> javaClass) {
    this.types = types;
    this.memory = memory;
    this.javaClass = javaClass;
    this.type = ClassModel.nameOf(javaClass);
  }

  @Override
  public String type() {
    return type;
  }

  @Override
  public long toWord(T value) {
    requireInstance(value);
    return OwnObjects.stored(memory, value);
  }

  @Override
  public long wordToFind(T value) {
    requireInstance(value);
    return OwnObjects.referenceToFind(memory, value);
  }

  private void requireInstance(T value) {
    if (!javaClass.isInstance(value)) {
      throw new ClassCastException(value.getClass() + " is no " + javaClass.getName());
    }
  }

  @Override
  public T fromWord(long word) {
    BoundType known = bound;
    if (known == null) {
      known = types.of(javaClass);
      bound = known;
    }
    return javaClass.cast(Attachments.attachOrStale(known, word));
  }

  @Override
  public String toString() {
    return name();
  }
}
