package io.everheap.durable.type;

import io.everheap.engine.HeapContext;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.EverheapException;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Copies objects from one heap to another by their stored types alone, inside transactions of the
 * other heap.
 */
public final class ObjectCopies {
  private final HeapContext target;

  /**
   * Translates the values of fields. A method that throws an {@link EverheapException} says that
   * the value is lost, and why.
   */
  public interface Mover {
    /** Returns the reference of an object's copy. */
    long object(long reference);

    /** Translates a word of the codec of this name. */
    long word(String codec, long word);

    /** Translates bytes of the codec of this name. */
    byte[] bytes(String codec, byte[] bytes);
  }

  /** Creates copies in a heap. */
  public ObjectCopies(HeapContext target) {
    this.target = target;
  }

  /**
   * Makes an object whose fields are 0, false and null.
   *
   * @param number of the type in the type table of this heap
   */
  public long make(TypeDescriptor type, long number) {
    int payload = ObjectLayout.of(type).payload();
    return target.allocator().allocate(ObjectLayout.blockType(number), payload);
  }

  /**
   * Stores the values of another object's fields in a new object. Values that are lost stay 0,
   * false or null.
   *
   * @param lost gets a message for each value that is lost
   * @return number of bytes that were stored
   */
  public long fill(long copy, ObjectImage from, Mover mover, Consumer<String> lost) {
    TypeDescriptor type = from.type();
    ObjectLayout layout = ObjectLayout.of(type);
    long[] words = new long[layout.payload() / Long.BYTES];
    long bytes = layout.payload();
    for (int i = 0; i < type.fields().size(); i++) {
      try {
        bytes += set(words, layout, i, from, mover);
      } catch (EverheapException e) {
        lost.accept(
            String.format(
                Locale.ROOT,
                "the value of %s.%s is lost: %s",
                type.name(),
                type.fields().get(i).name(),
                e.getMessage()));
      }
    }
    long at = Reference.payload(copy);
    int stripe = ObjectLayout.stripe(copy);
    for (int i = 0; i < words.length; i++) {
      target.memory().putLong(stripe, at + 8L * i, words[i]);
    }
    return bytes;
  }

  private long set(long[] words, ObjectLayout layout, int field, ObjectImage from, Mover mover) {
    FieldType type = layout.type().fields().get(field).type();
    long bits = from.bits(field);
    switch (type.storage()) {
      case REF -> put(words, layout.offset(field), bits == 0 ? 0 : mover.object(bits));
      case WORD -> {
        if (from.flag(field) == 1) {
          put(words, layout.offset(field), mover.word(type.detail(), bits));
          put(words, layout.flag(field), 1);
        }
      }
      case CELL -> {
        if (bits != 0) {
          byte[] bytes = mover.bytes(type.detail(), from.bytes(field));
          long cell = target.allocator().allocateRaw(ObjectLayout.CELL, bytes.length);
          target.memory().initBytes(Reference.payload(cell), bytes, 0, bytes.length);
          put(words, layout.offset(field), cell);
          return bytes.length;
        }
      }
      case ENUM -> put(words, layout.offset(field), from.value(field) == null ? 0 : bits);
      default -> put(words, layout.offset(field), bits);
    }
    return 0;
  }

  /** Puts the bits of a field, zero-extended, at an offset from the base. */
  private static void put(long[] words, int offset, long bits) {
    words[(offset - Long.BYTES) >> 3] |= bits << ((offset & 7) << 3);
  }
}
