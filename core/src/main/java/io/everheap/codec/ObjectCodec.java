package io.everheap.codec;

/**
 * A codec of references to objects of a durable type. Its words are references, which the library
 * follows when it checks a heap or looks for what can be freed. For use by the library.
 *
 * @param <T> the type of the objects
 */
public interface ObjectCodec<T> extends WordCodec<T> {
  /** The name of the type, as heaps have it. */
  String type();

  @Override
  default String name() {
    return "object " + type();
  }
}
