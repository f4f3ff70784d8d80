package io.everheap.durable.type;

import org.jspecify.annotations.Nullable;

/**
 * How the value of a field is stored in its object. A value of up to eight bytes lies within one
 * aligned word, so that one load reads it.
 */
public enum Storage {
  /** 0 or 1. */
  BOOLEAN(1),
  /** Eight bits. */
  BYTE(1),
  /** 16 bits. */
  SHORT(2),
  /** 16 bits, unsigned. */
  CHAR(2),
  /** 32 bits. */
  INT(4),
  /** The bits of a float. */
  FLOAT(4),
  /** 64 bits. */
  LONG(8),
  /** The bits of a double. */
  DOUBLE(8),
  /** 0 for null, or the position of the constant in the field's type, from 1 on. */
  ENUM(4),
  /** The word of a {@code WordCodec}, and a byte elsewhere that is 0 for null. */
  WORD(8),
  /** 0 for null, or the reference of a block that holds the bytes of a codec. */
  CELL(8),
  /** 0 for null, or the reference of another object. */
  REF(8);

  private static final Storage[] ALL = values();

  private final int bytes;

  Storage(int bytes) {
    this.bytes = bytes;
  }

  /** Number of bytes in an object, without the flag of a {@link #WORD}. */
  public int bytes() {
    return bytes;
  }

  /** Whether it is one of the eight primitive types. */
  public boolean isPrimitive() {
    return compareTo(DOUBLE) <= 0;
  }

  /** Keyword in the text of a type. */
  public String keyword() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  /** Returns the storage with this keyword, or null if there is none. */
  static @Nullable Storage of(String keyword) {
    for (Storage storage : ALL) {
      if (storage.keyword().equals(keyword)) {
        return storage;
      }
    }
    return null;
  }
}
