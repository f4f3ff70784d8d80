package io.everheap.object;

import io.everheap.codec.reference.ObjectCodec;
import org.jspecify.annotations.Nullable;

/**
 * The codec of the objects of one type in one open heap: their references. It keeps nothing but the
 * class, so it can be there before the type is bound.
 */
final class HeapObjectCodec<T> implements ObjectCodec<T> {
  private final ObjectSpace space;
  private final Class<T> javaClass;
  private final String type;

  /** Once it was needed; races do no harm. */
  private @Nullable ObjectType bound;

  HeapObjectCodec(ObjectSpace space, Class<T> javaClass) {
    this.space = space;
    this.javaClass = javaClass;
    this.type = ClassModel.nameOf(javaClass);
  }

  @Override
  public String type() {
    return type;
  }

  @Override
  public long toWord(T value) {
    if (!javaClass.isInstance(value)) {
      throw new ClassCastException(value.getClass() + " is no " + javaClass.getName());
    }
    return space.stored(value);
  }

  @Override
  public long wordToFind(T value) {
    if (!javaClass.isInstance(value)) {
      throw new ClassCastException(value.getClass() + " is no " + javaClass.getName());
    }
    return space.referenceToFind(value);
  }

  @Override
  public T fromWord(long word) {
    ObjectType known = bound;
    if (known == null) {
      known = space.bind(javaClass);
      bound = known;
    }
    return javaClass.cast(space.attachOrStale(word, known));
  }

  @Override
  public String toString() {
    return name();
  }
}
