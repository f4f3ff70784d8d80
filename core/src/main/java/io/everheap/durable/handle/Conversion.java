package io.everheap.durable.handle;

import io.everheap.codec.CodecOutput;
import io.everheap.durable.type.FieldType;
import io.everheap.durable.type.ObjectLayout;
import io.everheap.durable.type.Storage;
import io.everheap.durable.type.TypeDescriptor;
import io.everheap.durable.type.Widening;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;

/**
 * Converts objects that were written with an earlier version of their type to the current layout:
 * in place if their block has room, else into a body. Used inside transactions only.
 */
final class Conversion {
  private final HeapMemory memory;
  private final Allocator allocator;
  private final Cells cells;

  Conversion(ObjectMemory objects) {
    this.memory = objects.memory;
    this.allocator = objects.allocator;
    this.cells = objects.cells;
  }

  /**
   * Converts an object, and frees the values of fields that the current version does not have.
   *
   * @param written the field that is written next; its old value is freed without being decoded
   * @return its new base
   */
  long convert(ObjectHandle o, Place from, BoundField written) {
    BoundType type = o.type;
    int stripe = ObjectLayout.stripe(o.reference);
    long[] words = read(o, from, stripe, written);
    freeRemoved(type, from, stripe);
    long address = Reference.address(o.reference);
    long number = type.number.get();
    int payload = type.layout.payload();
    if (from.body() == 0
        && allocator.retype(stripe, o.reference, ObjectLayout.blockType(number), payload)) {
      for (int i = 0; i < words.length; i++) {
        memory.putLong(stripe, address + 8 + 8L * i, words[i]);
      }
      return address;
    }
    long body = allocator.allocateRaw(ObjectLayout.BODY, payload + 8L);
    long base = Reference.address(body) + ObjectLayout.BODY_BASE;
    memory.initLong(base, number);
    for (int i = 0; i < words.length; i++) {
      memory.initLong(base + 8 + 8L * i, words[i]);
    }
    if (from.body() != 0) {
      allocator.free(stripe, from.body(), ObjectLayout.BODY);
    } else {
      long size = allocator.size(o.reference);
      allocator.retype(stripe, o.reference, ObjectLayout.MOVED, size);
    }
    memory.putLong(stripe, address + ObjectLayout.TO_BODY, body);
    return base;
  }

  /** The words of the fields in the current layout. */
  private long[] read(ObjectHandle o, Place from, int stripe, BoundField written) {
    BoundType type = o.type;
    long[] words = new long[type.layout.payload() / 8];
    int[] positions = type.positions(from.version());
    ObjectLayout layout = from.version().layout();
    for (BoundField field : type.fields) {
      int stored = positions[field.position];
      if (stored >= 0) {
        FieldType storedType = from.version().type().fields().get(stored).type();
        long bits = bits(from.base() + layout.offset(stored), storedType.storage().bytes());
        bits =
            storedType.storage() == Storage.CELL
                ? cell(o.reference, field, storedType, bits, stripe, field == written)
                : Widening.widen(storedType, field.descriptor.type(), bits);
        set(words, field.offset, field.storage.bytes(), bits);
        if (field.storage == Storage.WORD) {
          set(words, field.flag, 1, bits(from.base() + layout.flag(stored), 1));
        }
      }
    }
    return words;
  }

  /** Encodes a value that an earlier version of the class wrote as the current one does. */
  private long cell(
      long reference,
      BoundField field,
      FieldType stored,
      long cell,
      int stripe,
      boolean isWritten) {
    if (cell == 0 || stored.equals(field.descriptor.type())) {
      return cell;
    }
    if (isWritten) {
      cells.free(cell, stripe);
      return 0;
    }
    byte[] bytes = cells.load(cell, () -> true);
    CodecOutput out = field.encode(field.decode(reference, bytes, stored.detail()));
    cells.free(cell, stripe);
    return cells.store(0, stripe, out.array(), out.size());
  }

  private long bits(long at, int bytes) {
    long word = memory.getLong(at & -8) >>> ((at & 7) << 3);
    return bytes == 8 ? word : word & ((1L << (8 * bytes)) - 1);
  }

  private static void set(long[] words, int offset, int bytes, long bits) {
    long mask = bytes == 8 ? -1 : (1L << (8 * bytes)) - 1;
    words[(offset >>> 3) - 1] |= (bits & mask) << ((offset & 7) << 3);
  }

  private void freeRemoved(BoundType type, Place from, int stripe) {
    for (int i = 0; i < from.version().type().fields().size(); i++) {
      TypeDescriptor.Field stored = from.version().type().fields().get(i);
      if (type.descriptor.field(stored.id()) == null) {
        cells.free(stored, from.base() + from.version().layout().offset(i), stripe);
      }
    }
  }
}
