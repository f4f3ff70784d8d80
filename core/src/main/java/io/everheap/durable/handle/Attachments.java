package io.everheap.durable.handle;

import io.everheap.durable.type.ObjectLayout;
import io.everheap.durable.type.StoredVersion;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.alloc.SlotShape;
import io.everheap.error.CorruptException;
import io.everheap.error.GoneException;
import io.everheap.error.UnsupportedTypeException;
import org.jspecify.annotations.Nullable;

/**
 * Creates handles from references to objects that are in a heap. The calls are few levels deep: the
 * JIT compiler inlines 15 levels, and a lookup in a map that returns an object needs them all.
 *
 * <p>Safe for use by many threads.
 */
public final class Attachments {
  private Attachments() {}

  /**
   * Returns a handle of an object.
   *
   * @param type that the object must have or extend
   * @throws GoneException if there is no object
   * @throws UnsupportedTypeException if the program does not know its type
   * @throws CorruptException if it has another type, or is not an object
   */
  public static ObjectHandle attach(BoundType type, long reference) {
    ObjectHandle object = attachAtOnce(type, reference);
    return object != null ? object : attachInAnyCase(type, reference);
  }

  private static ObjectHandle attachInAnyCase(BoundType type, long reference) {
    IdentityCache cache = type.memory.identities;
    return cache != null ? attachCached(cache, type, reference) : attachAny(type, reference);
  }

  /**
   * Returns a handle of an object; if the object is gone, a handle that throws when it is used, so
   * that what holds the reference can be read and changed.
   *
   * @param type that the object must have or extend
   * @throws GoneException if the object is gone, and the program knows no type whose handle could
   *     stand for it
   */
  public static ObjectHandle attachOrStale(BoundType type, long reference) {
    try {
      ObjectHandle object = attachAtOnce(type, reference);
      return object != null ? object : attachInAnyCase(type, reference);
    } catch (GoneException e) {
      type.memory.transactions.checkRead();
      return stale(type, reference, e);
    }
  }

  private static ObjectHandle stale(BoundType wanted, long reference, GoneException why) {
    IdentityCache cache = wanted.memory.identities;
    ObjectHandle known = cache == null ? null : known(cache, wanted, reference);
    if (known != null) {
      return known;
    }
    BoundType type = wanted.hasObjects() ? wanted : wanted.types.anyBelow(wanted.javaClass);
    if (type == null) {
      throw GoneException.reference(
          "A reference to an object of type "
              + wanted
              + " is stale, and the program knows no type whose handle could stand for it: use one"
              + " before, for instance with Heap.use. "
              + why.getMessage());
    }
    return type.handle(reference, ObjectMemory.OTHER_LAYOUT, ObjectMemory.NEVER);
  }

  /** The handle that the identity cache has for an object; null if there is none. */
  private static @Nullable ObjectHandle known(IdentityCache cache, BoundType type, long reference) {
    Object known = cache.get(reference);
    return type.javaClass.isInstance(known) ? (ObjectHandle) known : null;
  }

  private static ObjectHandle attachCached(IdentityCache cache, BoundType type, long reference) {
    type.memory.allocator.check(reference);
    ObjectHandle known = known(cache, type, reference);
    return known != null
        ? known
        : (ObjectHandle) cache.putIfAbsent(reference, attachAny(type, reference));
  }

  /** A handle for a reader, if the object is committed and has exactly this type; else null. */
  private static @Nullable ObjectHandle attachAtOnce(BoundType type, long reference) {
    SlotShape shape = type.shape;
    ObjectMemory memory = type.memory;
    if (shape == null || memory.lock.isWriter()) {
      return null;
    }
    long seen = memory.lock.frees();
    if (!shape.isBlock(reference, memory.header(reference))) {
      return null;
    }
    return memory.identities == null
        ? handleOf(type, reference, seen)
        : handle(type, reference, seen);
  }

  /**
   * Returns a handle of an object of exactly this type, whose shape is known.
   *
   * @param seen moment of the handle
   */
  static ObjectHandle handle(BoundType type, long reference, long seen) {
    IdentityCache cache = type.memory.identities;
    if (cache == null) {
      return handleOf(type, reference, seen);
    }
    ObjectHandle known = known(cache, type, reference);
    return known != null
        ? known
        : (ObjectHandle) cache.putIfAbsent(reference, handleOf(type, reference, seen));
  }

  private static ObjectHandle handleOf(BoundType type, long reference, long seen) {
    ObjectHandle object = type.handle(reference, type.header(reference), seen);
    object.everheap$attached();
    return object;
  }

  /** The general case: a handle for the writer, or of an object of another layout or class. */
  private static ObjectHandle attachAny(BoundType type, long reference) {
    long seen = type.memory.lock.frees();
    long header = type.memory.allocator.header(reference);
    if (type.hasObjects() && ObjectLayout.number(Allocator.typeOf(header)) == type.number.known()) {
      return attached(type, reference, header, seen);
    }
    return attachOther(type, reference, header, seen);
  }

  private static ObjectHandle attachOther(
      BoundType wanted, long reference, long header, long seen) {
    ObjectMemory memory = wanted.memory;
    int kind = Allocator.typeOf(header);
    boolean moved = kind == ObjectLayout.MOVED;
    StoredVersion version =
        moved ? memory.version(reference) : memory.versions.of(ObjectLayout.number(kind));
    String name = version.type().name();
    BoundType type = wanted.types.named(name);
    if (type == null || type.prototype == null) {
      String simple = wanted.javaClass.getSimpleName();
      throw new UnsupportedTypeException(
          name,
          simple,
          "the heap has an object of this type that the program was never told of: use its"
              + " interface before, for instance with Heap.use, or make "
              + simple
              + " sealed",
          null);
    }
    if (!wanted.javaClass.isInstance(type.prototype)) {
      throw CorruptException.heap(
          "The reference "
              + Reference.describe(reference)
              + " leads to an object of type "
              + name
              + " where one of "
              + wanted.javaClass.getName()
              + " belongs.");
    }
    boolean current = !moved && type.isCurrent(version);
    if (current && !memory.transactions.isWriter()) {
      type.number.found(ObjectLayout.number(kind));
    }
    return attached(type, reference, current ? header : ObjectMemory.OTHER_LAYOUT, seen);
  }

  /** A handle of an object whose header the calling thread has just loaded. */
  private static ObjectHandle attached(BoundType type, long reference, long header, long seen) {
    long moment = seen;
    if (header == ObjectMemory.OTHER_LAYOUT) {
      moment = ObjectMemory.NEVER;
    } else if (type.memory.lock.isWriter()) {
      moment = seen | ObjectMemory.BY_WRITER;
    }
    ObjectHandle object = type.handle(reference, header, moment);
    SlotShape _ = type.shape();
    object.everheap$attached();
    return object;
  }
}
