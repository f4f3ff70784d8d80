package io.everheap.durable.handle;

import io.everheap.durable.type.FieldType;
import io.everheap.durable.type.ObjectLayout;
import io.everheap.durable.type.Storage;
import io.everheap.durable.type.Widening;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.WriterLock;
import io.everheap.error.GoneException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads fields of objects.
 *
 * <p>Most fields are part of one word. Outside of a transaction a read loads the word, and then
 * checks that no commit freed any object since the moment at which the handle's object was found.
 * If one did, the object's header is compared, which yields another moment. An object of another
 * layout, and a value of several words, is read under the object's stripe.
 *
 * <p>Safe for use by many threads. Methods that are not inlined take numbers instead of the handle,
 * so that escape analysis can eliminate a handle that is used only briefly.
 */
public final class ObjectReads {
  private ObjectReads() {}

  /** Bytes of a field in an object of a version in which it has another type. */
  @SuppressWarnings("ArrayRecordComponent") // it is never compared
  private record EarlierValue(byte[] bytes, String type) {}

  /**
   * Returns the word of the current layout that holds a field of up to eight bytes.
   *
   * @param offset of the field; only the bits of this field are valid in the word
   */
  public static long word(ObjectHandle o, int offset) {
    WriterLock lock = o.lock;
    MemorySegment home = o.window.now();
    if (home != null && !lock.isWriter()) {
      long seen = o.seen;
      try {
        long word = o.window.load(home, o.start + (long) (offset & -8));
        // No MappedFaults.arrive here: it costs a quarter of a read (FieldReadBenchmark.longField).
        if (lock.isStill(seen)) {
          if (lock.hasViews()) {
            o.type.memory.transactions.checkRead();
          }
          return word;
        }
      } catch (IllegalStateException | IndexOutOfBoundsException | InternalError e) {
        // the extent was just remapped or cut off, or the heap is closed
      }
    }
    long found = o.type.memory.find(o.reference, o.header, o.seen);
    if (found != ObjectMemory.NEVER) {
      o.seen = found;
    }
    return word(o.type, o.reference, offset, found);
  }

  /**
   * The word of an object by the writer, or after objects were freed.
   *
   * @param found result of {@link ObjectMemory#find}
   */
  static long word(BoundType type, long reference, int offset, long found) {
    if (found != ObjectMemory.NEVER) {
      ObjectMemory memory = type.memory;
      long at = Reference.address(reference) + (offset & -8);
      if (memory.lock.isWriter()) {
        return memory.memory.getLong(at);
      }
      Long word = memory.committedWord(at, found);
      if (word != null) {
        return word;
      }
    }
    return otherWord(type, reference, offset);
  }

  /** The word of an object that may have another layout. */
  static long otherWord(BoundType type, long reference, int offset) {
    BoundField field = type.at(offset);
    Long bits = read(type, reference, check -> bits(type, reference, field));
    return Objects.requireNonNull(bits) << ((offset & 7) << 3);
  }

  private static <T> @Nullable T read(
      BoundType type, long reference, StripedReads.Attempt<T> attempt) {
    try {
      return type.memory.reads.read(ObjectLayout.stripe(reference), attempt);
    } catch (GoneException e) {
      throw type.gone(reference, e);
    }
  }

  /** The bits of a field of any layout, at the low end, as the current layout has them. */
  private static long bits(BoundType object, long reference, BoundField field) {
    Place place = object.memory.place(reference);
    int stored = object.positions(place.version())[field.position];
    if (stored < 0) {
      return 0;
    }
    FieldType type = place.version().type().fields().get(stored).type();
    long at = place.base() + place.version().layout().offset(stored);
    long bits = object.memory.memory.getLong(at & -8) >>> ((at & 7) << 3);
    return Widening.widen(type, field.descriptor.type(), narrow(type.storage(), bits));
  }

  private static long narrow(Storage storage, long bits) {
    return storage.bytes() == 8 ? bits : bits & ((1L << (8 * storage.bytes())) - 1);
  }

  /** Returns where a field of a woven class is: offset or position, as its accessors want it. */
  public static int place(ObjectHandle o, int index) {
    return o.type.places[index];
  }

  /** Returns the value of a field that is not primitive. */
  public static @Nullable Object object(ObjectHandle o, int field) {
    BoundField bound = o.type.fields[field];
    return bound.storage == Storage.REF ? ReferenceReads.reference(o, bound) : value(o, bound);
  }

  /** The value of any field. */
  static @Nullable Object value(ObjectHandle o, BoundField field) {
    return switch (field.storage) {
      case CELL -> {
        Object loaded = read(o.type, o.reference, check -> loadCell(o, field, check));
        yield switch (loaded) {
          case null -> null;
          case EarlierValue value -> field.decode(o.reference, value.bytes, value.type);
          default -> field.decode(o.reference, (byte[]) loaded);
        };
      }
      case WORD -> {
        Long word = read(o.type, o.reference, check -> loadWord(o, field));
        yield word == null ? null : field.fromWord(o.reference, word);
      }
      case REF -> ReferenceReads.reference(o, field);
      default -> scalar(o, field, word(o, field.offset) >>> ((field.offset & 7) << 3));
    };
  }

  private static @Nullable Object scalar(ObjectHandle o, BoundField field, long bits) {
    return switch (field.storage) {
      case BOOLEAN -> (bits & 1) != 0;
      case BYTE -> (byte) bits;
      case SHORT -> (short) bits;
      case CHAR -> (char) bits;
      case INT -> (int) bits;
      case FLOAT -> Float.intBitsToFloat((int) bits);
      case DOUBLE -> Double.longBitsToDouble(bits);
      case ENUM -> field.constant(o.reference, bits & 0xffff_ffffL);
      default -> bits;
    };
  }

  /** The bytes of a field, or an {@link EarlierValue}, or null. */
  private static @Nullable Object loadCell(
      ObjectHandle o, BoundField field, StripedReads.Check check) {
    long base = o.currentBase();
    if (base != 0) {
      return loadCell(o.type.memory, base + field.offset, check);
    }
    Place place = o.type.memory.place(o.reference);
    int stored = o.type.positions(place.version())[field.position];
    if (stored < 0) {
      return null;
    }
    long at = place.base() + place.version().layout().offset(stored);
    byte[] bytes = loadCell(o.type.memory, at, check);
    FieldType type = place.version().type().fields().get(stored).type();
    return bytes == null || type.equals(field.descriptor.type())
        ? bytes
        : new EarlierValue(bytes, type.detail());
  }

  private static byte @Nullable [] loadCell(
      ObjectMemory memory, long at, StripedReads.Check check) {
    long cell = memory.memory.getLong(at);
    return cell == 0 ? null : memory.cells.load(cell, check);
  }

  private static @Nullable Long loadWord(ObjectHandle o, BoundField field) {
    long base = o.currentBase();
    if (base != 0) {
      return loadWord(o.type.memory, base + field.flag, base + field.offset);
    }
    Place place = o.type.memory.place(o.reference);
    int stored = o.type.positions(place.version())[field.position];
    if (stored < 0) {
      return null;
    }
    ObjectLayout layout = place.version().layout();
    return loadWord(
        o.type.memory, place.base() + layout.flag(stored), place.base() + layout.offset(stored));
  }

  private static @Nullable Long loadWord(ObjectMemory memory, long flag, long at) {
    return (memory.memory.getLong(flag & -8) >>> ((flag & 7) << 3) & 0xff) == 0
        ? null
        : memory.memory.getLong(at);
  }
}
