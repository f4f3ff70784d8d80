package io.everheap.object;

import org.jspecify.annotations.Nullable;

/**
 * Reads and writes fields of objects. It is public for the classes that the library generates;
 * programs use their own interfaces. Offsets and numbers of fields are those of the layout that the
 * class was generated for.
 */
public final class FieldAccess {
  private FieldAccess() {}

  /** Reads a field of one byte that is 0 or 1. */
  public static boolean getBoolean(DurableObject o, int offset) {
    return (bits(o, offset) & 1) != 0;
  }

  /** Reads a field of one byte. */
  public static byte getByte(DurableObject o, int offset) {
    return (byte) bits(o, offset);
  }

  /** Reads a field of two bytes. */
  public static short getShort(DurableObject o, int offset) {
    return (short) bits(o, offset);
  }

  /** Reads a field of two bytes. */
  public static char getChar(DurableObject o, int offset) {
    return (char) bits(o, offset);
  }

  /** Reads a field of four bytes. */
  public static int getInt(DurableObject o, int offset) {
    return (int) bits(o, offset);
  }

  /** Reads a field of eight bytes. */
  public static long getLong(DurableObject o, int offset) {
    return ObjectMemory.word(o, offset);
  }

  /** Reads a field of four bytes. */
  public static float getFloat(DurableObject o, int offset) {
    return Float.intBitsToFloat((int) bits(o, offset));
  }

  /** Reads a field of eight bytes. */
  public static double getDouble(DurableObject o, int offset) {
    return Double.longBitsToDouble(ObjectMemory.word(o, offset));
  }

  /** Reads a field of another type. */
  public static @Nullable Object getObject(DurableObject o, int field) {
    return o.memory().value(o, o.type.fields[field]);
  }

  /** Reads a field that refers to another object. */
  public static @Nullable Object getReference(DurableObject o, int field) {
    return o.memory().reference(o, o.type.fields[field]);
  }

  /** Writes a field of one byte. */
  public static void putBoolean(DurableObject o, int offset, boolean value) {
    o.memory().put(o, offset, 1, value ? 1 : 0);
  }

  /** Writes a field of one byte. */
  public static void putByte(DurableObject o, int offset, byte value) {
    o.memory().put(o, offset, 1, value);
  }

  /** Writes a field of two bytes. */
  public static void putShort(DurableObject o, int offset, short value) {
    o.memory().put(o, offset, 2, value);
  }

  /** Writes a field of two bytes. */
  public static void putChar(DurableObject o, int offset, char value) {
    o.memory().put(o, offset, 2, value);
  }

  /** Writes a field of four bytes. */
  public static void putInt(DurableObject o, int offset, int value) {
    o.memory().put(o, offset, 4, value);
  }

  /** Writes a field of eight bytes. */
  public static void putLong(DurableObject o, int offset, long value) {
    o.memory().put(o, offset, 8, value);
  }

  /** Writes a field of four bytes. */
  public static void putFloat(DurableObject o, int offset, float value) {
    o.memory().put(o, offset, 4, Float.floatToRawIntBits(value));
  }

  /** Writes a field of eight bytes. */
  public static void putDouble(DurableObject o, int offset, double value) {
    o.memory().put(o, offset, 8, Double.doubleToRawLongBits(value));
  }

  /** Writes a field of another type. */
  public static void putObject(DurableObject o, int field, @Nullable Object value) {
    o.memory().put(o, o.type.fields[field], value);
  }

  /** The field's bits at the low end of a word. */
  private static long bits(DurableObject o, int offset) {
    return ObjectMemory.word(o, offset) >>> ((offset & 7) << 3);
  }
}
