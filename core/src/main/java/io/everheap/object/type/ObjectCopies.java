package io.everheap.object.type;

import io.everheap.engine.HeapContext;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.EverheapException;
import java.util.function.Consumer;

/**
 * Makes objects of one heap in another with nothing but their stored types, inside transactions of
 * the other heap. For use by tools.
 */
public final class ObjectCopies {
  private final HeapContext target;

  /** What becomes of the values of fields; each method throws what says that one is lost. */
  public interface Mover {
    /** The reference that stands for that of an object. */
    long object(long reference);

    /** The word of the codec of this name that stands for another. */
    long word(String codec, long word);

    /** The bytes of the codec of this name that stand for others. */
    byte[] bytes(String codec, byte[] bytes);
  }

  /** Copies into a heap. */
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
   * Gives a new object the values of another one's fields. Those that are lost stay 0, false or
   * null.
   *
   * @param lost is told which fields are lost, and why
   * @return bytes that were stored
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
            "the value of %s.%s is lost: %s"
                .formatted(type.name(), type.fields().get(i).name(), e.getMessage()));
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

  /** Puts bits, which are zeros above those of the field, at an offset from the base. */
  private static void put(long[] words, int offset, long bits) {
    words[(offset - Long.BYTES) >> 3] |= bits << ((offset & 7) << 3);
  }
}
