package io.everheap.durable.runtime;

import io.everheap.durable.ObjectType;
import io.everheap.durable.handle.BoundType;
import io.everheap.durable.handle.ObjectReads;
import io.everheap.durable.handle.ObjectWrites;
import io.everheap.durable.handle.ReferenceReads;
import io.everheap.stability.Evolving;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes fields of objects for generated classes. Offsets and positions of fields are
 * those of the layout that the class was generated for.
 *
 * @since 0.9
 */
@Evolving
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
    return ObjectReads.word(o, offset);
  }

  /** Reads a field of four bytes. */
  public static float getFloat(DurableObject o, int offset) {
    return Float.intBitsToFloat((int) bits(o, offset));
  }

  /** Reads a field of eight bytes. */
  public static double getDouble(DurableObject o, int offset) {
    return Double.longBitsToDouble(ObjectReads.word(o, offset));
  }

  /** Reads a field of another type. */
  public static @Nullable Object getObject(DurableObject o, int field) {
    return ObjectReads.object(o, field);
  }

  /** Reads a field that refers to another object. */
  public static @Nullable Object getReference(DurableObject o, int field) {
    return ReferenceReads.reference(o, field);
  }

  /**
   * Returns a moment for a handle that is made of what is found after it.
   *
   * @param o any object of the heap
   */
  public static long moment(DurableObject o) {
    return ReferenceReads.moment(o);
  }

  /**
   * Returns what a field refers to, if it is an object of exactly the type of the field. The caller
   * then makes a handle itself, so that the compiler knows the class of handles there.
   *
   * @param moment that was asked for before
   * @return the reference; 0 if the field is null; -1 if {@link #getReference} has to be called
   */
  public static long follow(DurableObject o, int field, long moment) {
    return ReferenceReads.follow(o, field, moment);
  }

  /** Returns the type of the object that {@link #follow} found. */
  public static ObjectType target(DurableObject o, int field) {
    return ReferenceReads.target(o, field);
  }

  /** Returns what makes handles of the objects of a type that {@link #target} returned. */
  public static DurableObject prototype(ObjectType type) {
    return (DurableObject) ((BoundType) type).prototype();
  }

  /** Returns the header of the object that {@link #follow} found. */
  public static long header(ObjectType type, long reference) {
    return ((BoundType) type).header(reference);
  }

  /** Completes a handle. */
  public static DurableObject attached(DurableObject made, long moment) {
    ReferenceReads.attached(made, moment);
    return made;
  }

  /** Writes a field of one byte. */
  public static void putBoolean(DurableObject o, int offset, boolean value) {
    ObjectWrites.put(o, offset, 1, value ? 1 : 0);
  }

  /** Writes a field of one byte. */
  public static void putByte(DurableObject o, int offset, byte value) {
    ObjectWrites.put(o, offset, 1, value);
  }

  /** Writes a field of two bytes. */
  public static void putShort(DurableObject o, int offset, short value) {
    ObjectWrites.put(o, offset, 2, value);
  }

  /** Writes a field of two bytes. */
  public static void putChar(DurableObject o, int offset, char value) {
    ObjectWrites.put(o, offset, 2, value);
  }

  /** Writes a field of four bytes. */
  public static void putInt(DurableObject o, int offset, int value) {
    ObjectWrites.put(o, offset, 4, value);
  }

  /** Writes a field of eight bytes. */
  public static void putLong(DurableObject o, int offset, long value) {
    ObjectWrites.put(o, offset, 8, value);
  }

  /** Writes a field of four bytes. */
  public static void putFloat(DurableObject o, int offset, float value) {
    ObjectWrites.put(o, offset, 4, Float.floatToRawIntBits(value));
  }

  /** Writes a field of eight bytes. */
  public static void putDouble(DurableObject o, int offset, double value) {
    ObjectWrites.put(o, offset, 8, Double.doubleToRawLongBits(value));
  }

  /** Writes a field of another type. */
  public static void putObject(DurableObject o, int field, @Nullable Object value) {
    ObjectWrites.put(o, field, value);
  }

  /** The field's bits at the low end of a word. */
  private static long bits(DurableObject o, int offset) {
    return ObjectReads.word(o, offset) >>> ((offset & 7) << 3);
  }
}
