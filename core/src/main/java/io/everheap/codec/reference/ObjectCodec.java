package io.everheap.codec.reference;

import io.everheap.codec.CodecOutput;
import io.everheap.codec.WordCodec;

/**
 * A codec of references to objects of a durable type. Its words are references, which verification
 * and garbage collection follow.
 *
 * @param <T> the type of the objects
 */
public interface ObjectCodec<T> extends WordCodec<T> {
  /** The name of the type, as heaps have it. */
  String type();

  /** The word of a handle for a comparison with stored ones; its object may be gone. */
  default long wordToFind(T value) {
    return toWord(value);
  }

  @Override
  default void write(T value, CodecOutput out) {
    out.writeLong(out.isToFind() ? wordToFind(value) : toWord(value));
  }

  @Override
  default String name() {
    return "object " + type();
  }
}
