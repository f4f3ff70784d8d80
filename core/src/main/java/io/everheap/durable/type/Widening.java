package io.everheap.durable.type;

import static io.everheap.durable.type.Storage.BYTE;
import static io.everheap.durable.type.Storage.CHAR;
import static io.everheap.durable.type.Storage.DOUBLE;
import static io.everheap.durable.type.Storage.FLOAT;
import static io.everheap.durable.type.Storage.INT;
import static io.everheap.durable.type.Storage.LONG;
import static io.everheap.durable.type.Storage.SHORT;

/** Decides which stored types of fields can be read as which other types, and converts values. */
public final class Widening {
  private Widening() {}

  /** Whether every value of one type is a value of the other. */
  public static boolean isReadable(FieldType stored, FieldType wanted) {
    if (stored.equals(wanted)) {
      return true;
    }
    if (stored.storage() == Storage.ENUM && wanted.storage() == Storage.ENUM) {
      return wanted.constants().size() >= stored.constants().size(); // positions stay
    }
    if (stored.storage() == wanted.storage() && !stored.storage().isPrimitive()) {
      // The type of an object is checked when its reference is followed; codecs were compared
      // before.
      return true;
    }
    return isExact(stored.storage(), wanted.storage());
  }

  private static boolean isExact(Storage stored, Storage wanted) {
    return switch (wanted) {
      case SHORT -> stored == BYTE;
      case INT -> stored == BYTE || stored == SHORT || stored == CHAR;
      case LONG -> stored == BYTE || stored == SHORT || stored == CHAR || stored == INT;
      case FLOAT -> stored == BYTE || stored == SHORT || stored == CHAR;
      case DOUBLE ->
          stored == BYTE || stored == SHORT || stored == CHAR || stored == INT || stored == FLOAT;
      default -> false;
    };
  }

  /**
   * Converts the bits of a value to another type.
   *
   * @param bits of a stored field, in the low end; the bits above them are ignored
   */
  public static long widen(FieldType stored, FieldType wanted, long bits) {
    if (stored.equals(wanted)) {
      return bits;
    }
    if (wanted.storage() == Storage.ENUM) {
      return recode(stored, bits);
    }
    if (!wanted.storage().isPrimitive()) {
      return bits;
    }
    if (stored.storage() == FLOAT) {
      return Double.doubleToRawLongBits(Float.intBitsToFloat((int) bits));
    }
    long value =
        switch (stored.storage()) {
          case BYTE -> (byte) bits;
          case SHORT -> (short) bits;
          case CHAR -> (char) bits;
          case INT -> (int) bits;
          default -> bits;
        };
    return switch (wanted.storage()) {
      case FLOAT -> Float.floatToRawIntBits((float) value);
      case DOUBLE -> Double.doubleToRawLongBits((double) value);
      default -> value;
    };
  }

  /** An invalid code becomes an invalid code. */
  private static long recode(FieldType stored, long code) {
    return code >= 0 && code <= stored.constants().size() ? code : 0xffff_ffffL;
  }
}
