package io.everheap.durable.runtime;

import io.everheap.durable.ObjectType;
import io.everheap.durable.handle.HandleText;
import io.everheap.durable.handle.ObjectHandle;
import io.everheap.durable.handle.OwnObjects;
import io.everheap.stability.Evolving;
import org.jspecify.annotations.Nullable;

/**
 * The superclass of all implementations of durable interfaces and of all woven classes: a handle of
 * an object. It is public for these classes; programs use their own types.
 *
 * <p>A handle holds no field of the object, so any number of handles may stand for one object, in
 * any threads.
 *
 * @since 0.9
 */
@Evolving
public abstract class DurableObject extends ObjectHandle {
  /**
   * Creates a handle of an object that exists.
   *
   * @param type of the object
   * @param reference to it
   * @param header that its block must have
   */
  protected DurableObject(@Nullable ObjectType type, long reference, long header) {
    super(type, reference, header);
  }

  /**
   * Makes a new object of this class. Constructors of woven classes begin with it.
   *
   * @throws IllegalStateException if it is not clear in which heap
   */
  protected DurableObject() {}

  /**
   * Creates another handle of the same class; prototypes, which are not objects, do so as well.
   *
   * @param type of the object
   * @param reference to it
   * @param header that its block must have
   */
  @Override
  @SuppressWarnings("MethodName") // no method of a program has such a name
  public abstract DurableObject everheap$make(ObjectType type, long reference, long header);

  /** Restores the transient fields of a new handle; woven classes override it. */
  @Override
  @SuppressWarnings("MethodName") // no method of a program has such a name
  protected void everheap$attached() {}

  /**
   * Always throws: a copy of the handle would stand for the same object.
   *
   * @throws CloneNotSupportedException always
   */
  @Override
  protected Object clone() throws CloneNotSupportedException {
    throw new CloneNotSupportedException(
        HandleText.name(this) + " is an object of a heap; make a new one and copy the fields");
  }

  /** Whether the other value is a handle of the same object of the same open heap. */
  @Override
  public boolean equals(@Nullable Object other) {
    return OwnObjects.isSame(this, other);
  }

  @Override
  public int hashCode() {
    return OwnObjects.hash(this);
  }

  /**
   * Returns type, address and fields of the object; of the objects that it refers to, type and
   * address only; {@code <stale reference ...>} if the object is gone.
   */
  @Override
  public String toString() {
    return HandleText.of(this);
  }
}
