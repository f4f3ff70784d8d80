package io.everheap.durable.handle;

import io.everheap.codec.CodecOutput;
import io.everheap.durable.type.FieldType;
import io.everheap.durable.type.ObjectLayout;
import io.everheap.durable.type.Storage;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.GoneException;
import org.jspecify.annotations.Nullable;

/**
 * Writes fields of objects, in the running transaction or one of its own.
 *
 * <p>A store to a field that one word holds touches no stripe. A change of several words touches
 * the object's stripe: values in cells, words with flags, a conversion to the current layout, and a
 * free.
 *
 * <p>Safe for use by many threads.
 */
public final class ObjectWrites {
  private ObjectWrites() {}

  /** Where a field is stored, and the flag that belongs to it. */
  private record Slot(long at, long flag) {}

  /** Returns the transactions of an object's heap. */
  public static Transactions transactions(ObjectHandle o) {
    return o.type.memory.transactions;
  }

  /** Stores a field of up to eight bytes. */
  public static void put(ObjectHandle o, int offset, int bytes, long bits) {
    Transactions transactions = o.type.memory.transactions;
    long base = transactions.isWriter() ? o.currentBase() : 0;
    if (base != 0) {
      store(o.type.memory.memory, base + offset, bytes, bits);
      return;
    }
    // With a savepoint within a transaction: a conversion that failed must not be committed in
    // part.
    transactions.begin();
    boolean ok = false;
    try {
      store(o, offset, bytes, bits);
      ok = true;
    } catch (InternalError e) {
      throw transactions.faulted(e);
    } finally {
      transactions.lock.endsDue++;
      transactions.end(ok);
    }
  }

  private static void store(ObjectHandle o, int offset, int bytes, long bits) {
    long base = o.currentBase();
    long at = base != 0 ? base + offset : slot(o, o.type.at(offset), false).at();
    store(o.type.memory.memory, at, bytes, bits);
  }

  private static void store(HeapMemory memory, long at, int bytes, long bits) {
    if (bytes == 8) {
      memory.putLong(Stripes.NONE, at, bits);
      return;
    }
    store(memory, Stripes.NONE, at, bytes, bits);
  }

  private static void store(HeapMemory memory, int stripe, long at, int bytes, long bits) {
    int shift = (int) (at & 7) << 3;
    long mask = ((1L << (8 * bytes)) - 1) << shift;
    long word = memory.getLong(at & -8);
    memory.putLong(stripe, at & -8, (word & ~mask) | (bits << shift & mask));
  }

  /**
   * Finds where a field can be stored; an object whose layout has no room is converted.
   *
   * @param empties whether null is stored, for which a cell of any type has room
   */
  private static Slot slot(ObjectHandle o, BoundField field, boolean empties) {
    Place place;
    try {
      place = o.type.memory.place(o.reference);
    } catch (GoneException e) {
      throw o.type.gone(o.reference, e);
    }
    int stored = o.type.positions(place.version())[field.position];
    if (stored >= 0) {
      FieldType type = place.version().type().fields().get(stored).type();
      if (type.equals(field.descriptor.type()) || (empties && type.storage() == Storage.CELL)) {
        ObjectLayout layout = place.version().layout();
        return new Slot(place.base() + layout.offset(stored), place.base() + layout.flag(stored));
      }
    }
    long base = new Conversion(o.type.memory).convert(o, place, field);
    return new Slot(base + field.offset, base + field.flag);
  }

  /** Stores a field that is not primitive. */
  public static void put(ObjectHandle o, int position, @Nullable Object value) {
    BoundField field = o.type.fields[position];
    ObjectMemory memory = o.type.memory;
    switch (field.storage) {
      case ENUM -> put(o, field.offset, 4, field.code(value));
      case REF ->
          memory.transact(() -> store(o, field.offset, 8, OwnObjects.stored(memory, value)));
      case CELL -> {
        if (field.mayHoldReferences) { // they are encoded by the transaction that stores them
          memory.transact(() -> encodeCell(o, field, value));
        } else {
          encodeCell(o, field, value);
        }
      }
      case WORD -> {
        if (field.mayHoldReferences) {
          memory.transact(() -> encodeWord(o, field, value));
        } else {
          encodeWord(o, field, value);
        }
      }
      default -> throw new AssertionError(field.storage);
    }
  }

  private static void encodeCell(ObjectHandle o, BoundField field, @Nullable Object value) {
    CodecOutput out = value == null ? null : field.encode(value);
    o.type.memory.transact(() -> storeCell(o, field, out));
  }

  private static void encodeWord(ObjectHandle o, BoundField field, @Nullable Object value) {
    boolean present = value != null;
    long word = value == null ? 0 : field.toWord(value);
    o.type.memory.transact(() -> storeWord(o, field, present, word));
  }

  private static void storeCell(ObjectHandle o, BoundField field, @Nullable CodecOutput value) {
    ObjectMemory memory = o.type.memory;
    long at = slot(o, field, value == null).at();
    int stripe = ObjectLayout.stripe(o.reference);
    long old = memory.memory.getLong(at);
    long cell = Reference.NULL;
    if (value == null) {
      memory.cells.free(old, stripe);
    } else {
      cell = memory.cells.store(old, stripe, value.array(), value.size());
    }
    if (cell != old) {
      memory.memory.putLong(stripe, at, cell);
    }
  }

  private static void storeWord(ObjectHandle o, BoundField field, boolean present, long word) {
    HeapMemory memory = o.type.memory.memory;
    Slot slot = slot(o, field, false);
    int stripe = ObjectLayout.stripe(o.reference);
    store(memory, stripe, slot.flag(), 1, present ? 1 : 0);
    memory.putLong(stripe, slot.at(), word);
  }
}
