package io.everheap.durable.handle;

import io.everheap.engine.alloc.Reference;
import io.everheap.error.GoneException;
import org.jspecify.annotations.Nullable;

/**
 * Turns objects that a program passes to a heap into references; they must be handles of that heap.
 *
 * <p>Safe for use by many threads.
 */
public final class OwnObjects {
  private OwnObjects() {}

  /** Whether two values are handles of the same object of the same open heap. */
  public static boolean isSame(@Nullable Object a, @Nullable Object b) {
    return a instanceof ObjectHandle one
        && b instanceof ObjectHandle other
        && one.reference == other.reference
        && one.lock == other.lock;
  }

  /** A hash code of the object that a handle stands for. */
  public static int hash(ObjectHandle object) {
    return Long.hashCode(object.reference * 0x9E37_79B9_7F4A_7C15L);
  }

  /**
   * Returns the reference of an object of a heap, or 0 for null.
   *
   * @throws IllegalArgumentException if it is not an object of the heap
   * @throws GoneException if it was freed
   */
  public static long reference(ObjectMemory memory, @Nullable Object value) {
    if (value == null) {
      return Reference.NULL;
    }
    ObjectHandle object = own(memory, value);
    try {
      memory.allocator.check(object.reference);
    } catch (GoneException e) {
      throw object.type.gone(object.reference, e);
    }
    return object.reference;
  }

  /**
   * Returns the reference of an object of a heap, even if it was freed: to search for it.
   *
   * @throws IllegalArgumentException if it is not an object of the heap
   */
  public static long referenceToFind(ObjectMemory memory, Object value) {
    return own(memory, value).reference;
  }

  /**
   * Returns the reference of an object of a heap, or 0 for null, for an encoder: inside a
   * transaction the reference is about to be stored.
   *
   * @throws IllegalArgumentException if it is not an object of the heap
   * @throws GoneException if it was freed, or a collection is about to free it
   */
  public static long stored(ObjectMemory memory, @Nullable Object value) {
    long reference = reference(memory, value);
    if (reference != Reference.NULL) {
      memory.transactions.storing(reference);
    }
    return reference;
  }

  /**
   * Frees an object and the values of its fields; objects that it refers to stay.
   *
   * @throws IllegalArgumentException if it is not an object of the heap
   * @throws GoneException if it was freed already
   */
  public static void free(ObjectMemory memory, Object object) {
    memory.transact(() -> memory.free(reference(memory, object)));
  }

  @SuppressWarnings("ReferenceEquality") // a heap that was opened again is another one
  private static ObjectHandle own(ObjectMemory memory, Object value) {
    if (!(value instanceof ObjectHandle object)) {
      throw new IllegalArgumentException(
          value.getClass().getName()
              + " is not an object of a heap, though its type is durable; only objects made by"
              + " Heap.create or by the constructor of a woven class can be stored");
    }
    if (object.type.memory != memory) {
      throw new IllegalArgumentException(
          "the object " + HandleText.name(object) + " is of another heap");
    }
    return object;
  }
}
