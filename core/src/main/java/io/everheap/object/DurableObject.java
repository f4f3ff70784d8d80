package io.everheap.object;

import io.everheap.engine.tx.WriterLock;
import io.everheap.error.StaleReferenceException;
import io.everheap.memory.Window;
import org.jspecify.annotations.Nullable;

/**
 * What all implementations of durable interfaces and all woven classes have in common: which object
 * they stand for. It is public for these classes; programs use their own types.
 *
 * <p>A handle holds no field of the object, so any number of them may stand for one object, in any
 * threads.
 */
public abstract class DurableObject {
  final ObjectType type;
  final WriterLock lock;
  final long reference;

  /** Given for the header of an object that has another layout: no block has it. */
  static final long OTHER_LAYOUT = -1;

  /** The block's header while it is alive and has the current layout. */
  final long header;

  /** Offset of its block in the window. */
  final int start;

  /** In {@link #seen} if only a writer found the block: for others, it may not be committed. */
  static final long BY_WRITER = Long.MIN_VALUE;

  /** A value of {@link #seen} that is no moment. */
  static final long NEVER = BY_WRITER | 1;

  /** Where the block is. */
  final Window window;

  /**
   * What {@code WriterLock.frees} was when the block was last found to be there. Plain: whichever
   * thread found it last, each was right.
   */
  long seen;

  /**
   * A handle. For generated classes.
   *
   * @param type of the object
   * @param reference to it
   * @param header that its block must have, or {@code OTHER_LAYOUT}
   */
  @SuppressWarnings("NullAway") // a prototype has no type and is never used as an object
  protected DurableObject(@Nullable ObjectType type, long reference, long header) {
    this.type = type;
    this.lock = type == null ? null : type.memory.lock;
    this.start = type == null ? 0 : type.memory.start(reference);
    this.window = type == null ? Window.NONE : type.memory.window(reference);
    this.reference = reference;
    this.header = header;
  }

  /**
   * Makes a new object of this class. For woven classes, whose constructors begin with it.
   *
   * @throws IllegalStateException if it is not clear which heap it is for
   */
  @SuppressWarnings("this-escape") // the class itself says of which type the object is
  protected DurableObject() {
    NewObjects.Made made = NewObjects.make(getClass());
    this.type = made.type();
    this.lock = type.memory.lock;
    this.start = type.memory.start(made.reference());
    this.window = type.memory.window(made.reference());
    this.reference = made.reference();
    this.header = made.header();
    this.seen = made.seen();
    made.space().created(this);
  }

  /**
   * Another handle of the same class. For generated classes; on a prototype, which is no object.
   *
   * @param type of the object
   * @param reference to it
   * @param header that its block must have
   */
  @SuppressWarnings("MethodName") // nothing of the user's has such a name
  public abstract DurableObject everheap$make(ObjectType type, long reference, long header);

  /** Rebuilds what a new handle keeps besides the object. For woven classes. */
  @SuppressWarnings("MethodName") // nothing of the user's has such a name
  protected void everheap$attached() {}

  /**
   * Refused: a copy of the handle would be the same object.
   *
   * @throws CloneNotSupportedException always
   */
  @Override
  protected Object clone() throws CloneNotSupportedException {
    throw new CloneNotSupportedException(
        name() + " is an object of a heap; make a new one and copy the fields");
  }

  /** Whether it is the same object, of the same open heap. */
  @Override
  public boolean equals(@Nullable Object other) {
    return isSame(other);
  }

  /** What {@link #equals} is if the class has none of its own. */
  final boolean isSame(@Nullable Object other) {
    return other instanceof DurableObject o && o.reference == reference && o.lock == lock;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(reference * 0x9E37_79B9_7F4A_7C15L);
  }

  /**
   * It was found after a moment; a mark of the writer's does not replace one that holds for all.
   */
  final void found(long moment) {
    if (seen != (moment & ~BY_WRITER)) {
      seen = moment;
    }
  }

  /** What reads and writes its fields. */
  final ObjectMemory memory() {
    return type.memory;
  }

  /**
   * Its type, its address and its fields, those that lead to other objects without theirs; {@code
   * <stale reference ...>} if the object is gone.
   */
  @Override
  public String toString() {
    try {
      return name() + new FieldText(this);
    } catch (StaleReferenceException e) {
      return "<stale reference " + name() + '>';
    }
  }

  /** Its type and its address. */
  final String name() {
    return type.nameOf(reference);
  }
}
