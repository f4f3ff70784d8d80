package io.everheap.object;

import io.everheap.object.type.Storage;
import java.util.Objects;
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
    BoundField bound = o.type.fields[field];
    return bound.storage == Storage.REF
        ? ObjectMemory.reference(o, bound)
        : o.memory().value(o, bound);
  }

  /** Reads a field that refers to another object. */
  public static @Nullable Object getReference(DurableObject o, int field) {
    return ObjectMemory.reference(o, o.type.fields[field]);
  }

  /**
   * A moment for a handle that is made of what is found after it.
   *
   * @param o any object of the heap
   */
  public static long moment(DurableObject o) {
    return o.memory().moment();
  }

  /**
   * What a field refers to, if it is an object of just the type of the field, of which the caller
   * then makes a handle itself, so that the compiler knows the class of handles there.
   *
   * @param moment that was asked for before
   * @return the reference; 0 if the field is null; -1 if {@link #getReference} has to be called
   */
  public static long follow(DurableObject o, int field, long moment) {
    return ObjectMemory.follow(o, o.type.fields[field], moment);
  }

  /** The type of the object that {@link #follow} found. */
  public static ObjectType target(DurableObject o, int field) {
    return Objects.requireNonNull(o.type.fields[field].target);
  }

  /** What makes handles of the objects of a type that {@link #target} returned. */
  public static DurableObject prototype(ObjectType type) {
    return Objects.requireNonNull(type.prototype);
  }

  /** The header of the object that {@link #follow} found. */
  public static long header(ObjectType type, long reference) {
    return Objects.requireNonNull(type.shape).header(reference);
  }

  /** Completes a handle. */
  public static DurableObject attached(DurableObject made, long moment) {
    made.seen = moment;
    made.everheap$attached();
    return made;
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
