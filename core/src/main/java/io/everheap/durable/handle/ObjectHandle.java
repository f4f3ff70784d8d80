package io.everheap.durable.handle;

import io.everheap.durable.ObjectType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.WriterLock;
import io.everheap.memory.Window;
import org.jspecify.annotations.Nullable;

/**
 * A handle of an object: where the object is, and the moment at which it was last found there. A
 * handle holds no field of the object, so an object may have any number of handles.
 *
 * <p>Safe for use by many threads: everything but {@link #seen} is final. No method has a name that
 * a method of a user's class could override.
 */
public abstract class ObjectHandle {
  final BoundType type;
  final WriterLock lock;
  final long reference;

  /** The block's header while it is alive and has the current layout, or {@code OTHER_LAYOUT}. */
  final long header;

  /** Offset of the block in the window. */
  final int start;

  /** Where the block is. */
  final Window window;

  /**
   * What {@code WriterLock.frees} was when the block was last found, maybe with {@code
   * ObjectMemory.BY_WRITER}. A plain field: threads race, but each of the values that they store is
   * valid.
   */
  long seen;

  /**
   * Creates a handle of an object that exists.
   *
   * @param type of the object; null for a prototype
   * @param reference to it
   * @param header that its block must have, or {@code OTHER_LAYOUT}
   */
  @SuppressWarnings("NullAway") // a prototype has no type and is never used as an object
  protected ObjectHandle(@Nullable ObjectType type, long reference, long header) {
    BoundType bound = (BoundType) type;
    this.type = bound;
    this.lock = bound == null ? null : bound.memory.lock;
    this.start = bound == null ? 0 : bound.memory.start(reference);
    this.window = bound == null ? Window.NONE : bound.memory.window(reference);
    this.reference = reference;
    this.header = header;
  }

  /**
   * Creates a handle together with a new object of its class.
   *
   * @throws IllegalStateException if it is not clear in which heap
   */
  @SuppressWarnings("this-escape") // the class determines the type of the object
  protected ObjectHandle() {
    NewObjects.Made made = NewObjects.make(getClass());
    this.type = (BoundType) made.type();
    this.lock = type.memory.lock;
    this.start = type.memory.start(made.reference());
    this.window = type.memory.window(made.reference());
    this.reference = made.reference();
    this.header = made.header();
    this.seen = made.seen();
    type.memory.created(reference, this);
  }

  /**
   * Creates another handle of the same class.
   *
   * @param type of the object
   * @param reference to it
   * @param header that its block must have, or {@code OTHER_LAYOUT}
   */
  @SuppressWarnings("MethodName") // no user's method has such a name
  protected abstract ObjectHandle everheap$make(ObjectType type, long reference, long header);

  /** Restores the transient fields of a new handle; woven classes override it. */
  @SuppressWarnings("MethodName") // no user's method has such a name
  protected void everheap$attached() {}

  /** Records the moment after which the object was found, unless the recorded one is stronger. */
  final void found(long moment) {
    if (seen != (moment & ~ObjectMemory.BY_WRITER)) {
      seen = moment;
    }
  }

  /** Base of the object's fields if it is known to have the current layout; else 0. */
  final long currentBase() {
    boolean current =
        lock.isWriter()
            ? type.memory.isCurrent(reference, header, ObjectMemory.isSure(seen, lock.frees()))
            : window.now() != null && lock.isStill(seen);
    return current ? Reference.address(reference) : 0;
  }
}
