package io.everheap.codec.reference;

import io.everheap.codec.CodecOutput;
import io.everheap.codec.WordCodec;

/**
 * A codec of references to objects of a durable type. Its words are references, which the library
 * follows when it checks a heap or looks for what can be freed.
 *
 * @param <T> the type of the objects
 */
public interface ObjectCodec<T> extends WordCodec<T> {
  /** The name of the type, as heaps have it. */
  String type();

  /**
   * The word of a handle, whether its object is still there or not: to look for it, not to store.
   */
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
