package io.everheap.durable.handle;

import io.everheap.durable.ObjectType;
import io.everheap.durable.type.Storage;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.alloc.SlotShape;
import io.everheap.error.GoneException;
import io.everheap.memory.Window;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Follows the references that fields of objects hold.
 *
 * <p>Safe for use by many threads. Methods that are not inlined take the parts of a handle instead
 * of the handle, so that escape analysis can eliminate a handle that is used only briefly.
 */
public final class ReferenceReads {
  /** Takes the place of a reference that is not known; no block has this address. */
  private static final long UNKNOWN = -1;

  private ReferenceReads() {}

  /** Returns the object that a field refers to. */
  public static @Nullable Object reference(ObjectHandle o, int field) {
    return reference(o, o.type.fields[field]);
  }

  /** Short, so that the compiler inlines it. */
  static @Nullable Object reference(ObjectHandle o, BoundField field) {
    ObjectMemory memory = o.type.memory;
    long moment = memory.moment();
    long reference = follow(memory, o.window, o.start, o.reference, o.header, o.seen, field);
    if (reference == UNKNOWN) {
      long found = memory.findAgain(o.reference, o.header, o.seen);
      if (found != ObjectMemory.NEVER) {
        o.seen = found;
      }
      return reference(o.type, o.reference, field, found);
    }
    o.found(moment);
    BoundType type = field.target;
    return reference == Reference.NULL || type == null
        ? null
        : Attachments.handle(type, reference, moment);
  }

  /** Returns a moment for a handle of what is found after it, in the heap of an object. */
  public static long moment(ObjectHandle o) {
    return o.type.memory.moment();
  }

  /**
   * Returns the reference in a field if it leads to an object of exactly the type of the field.
   *
   * @param moment that was asked for before
   * @return the reference; 0 if the field is null; -1 if {@link #reference} has to be called
   */
  public static long follow(ObjectHandle o, int field, long moment) {
    return follow(o, o.type.fields[field], moment);
  }

  /** As {@link #follow(ObjectHandle, int, long)}; -1 for a field that is stored by a codec. */
  public static long followIfReference(ObjectHandle o, int field, long moment) {
    BoundField bound = o.type.fields[field];
    return bound.storage == Storage.REF ? follow(o, bound, moment) : UNKNOWN;
  }

  private static long follow(ObjectHandle o, BoundField field, long moment) {
    ObjectMemory memory = o.type.memory;
    if (memory.identities != null) {
      return UNKNOWN;
    }
    long reference = follow(memory, o.window, o.start, o.reference, o.header, o.seen, field);
    if (reference != UNKNOWN) {
      o.found(moment);
    }
    return reference;
  }

  /** Returns the type of the object that {@link #follow(ObjectHandle, int, long)} found. */
  public static ObjectType target(ObjectHandle o, int field) {
    return Objects.requireNonNull(o.type.fields[field].target);
  }

  /** Completes a handle of an object that was found after a moment. */
  public static void attached(ObjectHandle made, long moment) {
    made.seen = moment;
    made.everheap$attached();
  }

  /**
   * Returns the reference in a field, if it is null, or leads to an object of exactly the type of
   * the field, whose shape is known.
   *
   * <p>Its more than 325 bytes of code keep the compiler from inlining it, which would leave no
   * room for inlining the handles. {@code InliningTest} asserts the size.
   *
   * @param home window on the object that has the field
   * @param start its offset there
   * @param from its reference
   * @param header that it must have
   * @param seen its moment
   * @return {@code UNKNOWN} in other cases, or if the object is not there in the current layout
   */
  private static long follow(
      ObjectMemory memory,
      Window home,
      int start,
      long from,
      long header,
      long seen,
      BoundField field) {
    BoundType type = field.target;
    SlotShape shape = type == null ? null : type.shape;
    if (shape == null) {
      shape = field.target().shape();
      if (shape == null) {
        return UNKNOWN;
      }
    }
    try {
      if (memory.lock.isWriter()) {
        boolean sure = ObjectMemory.isSure(seen, memory.lock.frees());
        if (!memory.isCurrent(from, header, sure)) {
          return UNKNOWN;
        }
        long reference = memory.memory.getLong(Reference.address(from) + field.offset);
        boolean known =
            reference == Reference.NULL
                || shape.isBlock(reference, memory.allocator.find(reference));
        return known ? reference : UNKNOWN;
      }
      long moment = seen;
      for (int tries = 0; tries < 2; tries++) {
        MemorySegment here = home.now();
        if (here == null) {
          return UNKNOWN;
        }
        long reference = home.load(here, start + (long) field.offset);
        long found = 0;
        if (reference != Reference.NULL) {
          Window target = memory.window(reference);
          MemorySegment there = target.now();
          found = there == null ? 0 : target.load(there, memory.start(reference));
        }
        if (memory.lock.isStill(moment)) {
          if (reference != Reference.NULL && !shape.isBlock(reference, found)) {
            return UNKNOWN;
          }
          if (memory.lock.hasViews()) {
            memory.transactions.checkRead();
          }
          return reference;
        }
        moment = memory.lock.frees();
        if (header == ObjectMemory.OTHER_LAYOUT || memory.allocator.find(from) != header) {
          return UNKNOWN;
        }
      }
      return UNKNOWN;
    } catch (GoneException | IllegalStateException | IndexOutOfBoundsException e) {
      return UNKNOWN; // an extent is being remapped, or the object is gone, or the heap closed
    }
  }

  /** The object that a field refers to, whatever its type, of an object of any layout. */
  private static @Nullable Object reference(
      BoundType owner, long from, BoundField field, long found) {
    long reference = ObjectReads.word(owner, from, field.offset, found);
    while (reference != Reference.NULL) {
      try {
        return Attachments.attach(field.target(), reference);
      } catch (
          GoneException e) { // the reference may have been replaced meanwhile, and the object freed
        long now = ObjectReads.otherWord(owner, from, field.offset);
        if (now == reference) {
          return followAlone(owner, from, field);
        }
        reference = now;
      }
    }
    return null;
  }

  /**
   * Follows a reference while no commit is applied: during one, a field may still refer to an
   * object that was freed.
   */
  @SuppressWarnings("NullAway") // it does not follow the type of the result into the lambda
  private static @Nullable ObjectHandle followAlone(BoundType owner, long from, BoundField field) {
    return owner.memory.transactions.<@Nullable ObjectHandle, RuntimeException>exclusively(
        () -> {
          long reference = ObjectReads.otherWord(owner, from, field.offset);
          return reference == Reference.NULL
              ? null
              : Attachments.attachOrStale(field.target(), reference);
        });
  }
}
