package io.everheap.object.runtime;

import io.everheap.object.ObjectType;
import io.everheap.object.handle.ObjectReads;
import io.everheap.object.handle.ReferenceReads;
import io.everheap.object.handle.WovenClass;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes fields of objects for woven classes. A field has an index within its class, and
 * each heap has its own place for it.
 */
public final class WovenAccess {
  private WovenAccess() {}

  /** Makes a class usable that may not be public; its initializer calls it first. */
  public static void register(MethodHandles.Lookup lookup) {
    WovenClass.of(lookup.lookupClass()).register(lookup);
  }

  /**
   * Bootstraps the constant that is the index of a field.
   *
   * @param lookup of the class that declares it
   * @param field its name
   * @param type of the constant
   */
  public static int index(MethodHandles.Lookup lookup, String field, Class<?> type) {
    return WovenClass.of(lookup.lookupClass()).index(field);
  }

  /** Reads a field. */
  public static boolean getBoolean(DurableObject o, int index) {
    return FieldAccess.getBoolean(o, ObjectReads.place(o, index));
  }

  /** Reads a field. */
  public static byte getByte(DurableObject o, int index) {
    return FieldAccess.getByte(o, ObjectReads.place(o, index));
  }

  /** Reads a field. */
  public static short getShort(DurableObject o, int index) {
    return FieldAccess.getShort(o, ObjectReads.place(o, index));
  }

  /** Reads a field. */
  public static char getChar(DurableObject o, int index) {
    return FieldAccess.getChar(o, ObjectReads.place(o, index));
  }

  /** Reads a field. */
  public static int getInt(DurableObject o, int index) {
    return FieldAccess.getInt(o, ObjectReads.place(o, index));
  }

  /** Reads a field. */
  public static long getLong(DurableObject o, int index) {
    return FieldAccess.getLong(o, ObjectReads.place(o, index));
  }

  /** Reads a field. */
  public static float getFloat(DurableObject o, int index) {
    return FieldAccess.getFloat(o, ObjectReads.place(o, index));
  }

  /** Reads a field. */
  public static double getDouble(DurableObject o, int index) {
    return FieldAccess.getDouble(o, ObjectReads.place(o, index));
  }

  /** Reads a field. */
  public static @Nullable Object getObject(DurableObject o, int index) {
    return FieldAccess.getObject(o, ObjectReads.place(o, index));
  }

  /** As {@link FieldAccess#follow}; also -1 if the field is stored by a codec. */
  public static long follow(DurableObject o, int index, long moment) {
    return ReferenceReads.followIfReference(o, ObjectReads.place(o, index), moment);
  }

  /** As {@link FieldAccess#target}. */
  public static ObjectType target(DurableObject o, int index) {
    return FieldAccess.target(o, ObjectReads.place(o, index));
  }

  /** Writes a field. */
  public static void putBoolean(DurableObject o, int index, boolean value) {
    FieldAccess.putBoolean(o, ObjectReads.place(o, index), value);
  }

  /** Writes a field. */
  public static void putByte(DurableObject o, int index, byte value) {
    FieldAccess.putByte(o, ObjectReads.place(o, index), value);
  }

  /** Writes a field. */
  public static void putShort(DurableObject o, int index, short value) {
    FieldAccess.putShort(o, ObjectReads.place(o, index), value);
  }

  /** Writes a field. */
  public static void putChar(DurableObject o, int index, char value) {
    FieldAccess.putChar(o, ObjectReads.place(o, index), value);
  }

  /** Writes a field. */
  public static void putInt(DurableObject o, int index, int value) {
    FieldAccess.putInt(o, ObjectReads.place(o, index), value);
  }

  /** Writes a field. */
  public static void putLong(DurableObject o, int index, long value) {
    FieldAccess.putLong(o, ObjectReads.place(o, index), value);
  }

  /** Writes a field. */
  public static void putFloat(DurableObject o, int index, float value) {
    FieldAccess.putFloat(o, ObjectReads.place(o, index), value);
  }

  /** Writes a field. */
  public static void putDouble(DurableObject o, int index, double value) {
    FieldAccess.putDouble(o, ObjectReads.place(o, index), value);
  }

  /** Writes a field. */
  public static void putObject(DurableObject o, int index, @Nullable Object value) {
    FieldAccess.putObject(o, ObjectReads.place(o, index), value);
  }
}
