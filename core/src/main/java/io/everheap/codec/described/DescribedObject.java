package io.everheap.codec.described;

import io.everheap.codec.ObjectReference;
import io.everheap.codec.reference.ObjectCodec;
import java.util.function.LongUnaryOperator;

/**
 * References to objects of which only the name of the type is known.
 *
 * @param moved what references become when they are read
 */
record DescribedObject(String type, LongUnaryOperator moved) implements ObjectCodec<Object> {
  @Override
  public long toWord(Object value) {
    return ((ObjectReference) value).reference();
  }

  @Override
  public Object fromWord(long word) {
    return new ObjectReference(type, moved.applyAsLong(word));
  }

  @Override
  public String toString() {
    return name();
  }
}
