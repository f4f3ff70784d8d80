package io.everheap.object;

import io.everheap.object.type.Storage;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * What woven classes call. It is public for them; programs use their own fields. A field has an
 * index within its class, and each heap has its own place for it.
 */
public final class WovenAccess {
  private WovenAccess() {}

  /** Lets a class be used that may not be public: called when it is initialised. */
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
    return FieldAccess.getBoolean(o, o.type.places[index]);
  }

  /** Reads a field. */
  public static byte getByte(DurableObject o, int index) {
    return FieldAccess.getByte(o, o.type.places[index]);
  }

  /** Reads a field. */
  public static short getShort(DurableObject o, int index) {
    return FieldAccess.getShort(o, o.type.places[index]);
  }

  /** Reads a field. */
  public static char getChar(DurableObject o, int index) {
    return FieldAccess.getChar(o, o.type.places[index]);
  }

  /** Reads a field. */
  public static int getInt(DurableObject o, int index) {
    return FieldAccess.getInt(o, o.type.places[index]);
  }

  /** Reads a field. */
  public static long getLong(DurableObject o, int index) {
    return FieldAccess.getLong(o, o.type.places[index]);
  }

  /** Reads a field. */
  public static float getFloat(DurableObject o, int index) {
    return FieldAccess.getFloat(o, o.type.places[index]);
  }

  /** Reads a field. */
  public static double getDouble(DurableObject o, int index) {
    return FieldAccess.getDouble(o, o.type.places[index]);
  }

  /** Reads a field. */
  public static @Nullable Object getObject(DurableObject o, int index) {
    return FieldAccess.getObject(o, o.type.places[index]);
  }

  /** As {@link FieldAccess#follow}; -1, too, if a codec says how the field is stored. */
  public static long follow(DurableObject o, int index, long moment) {
    BoundField field = o.type.fields[o.type.places[index]];
    return field.storage == Storage.REF ? ObjectMemory.follow(o, field, moment) : -1;
  }

  /** As {@link FieldAccess#target}. */
  public static ObjectType target(DurableObject o, int index) {
    return FieldAccess.target(o, o.type.places[index]);
  }

  /** Writes a field. */
  public static void putBoolean(DurableObject o, int index, boolean value) {
    FieldAccess.putBoolean(o, o.type.places[index], value);
  }

  /** Writes a field. */
  public static void putByte(DurableObject o, int index, byte value) {
    FieldAccess.putByte(o, o.type.places[index], value);
  }

  /** Writes a field. */
  public static void putShort(DurableObject o, int index, short value) {
    FieldAccess.putShort(o, o.type.places[index], value);
  }

  /** Writes a field. */
  public static void putChar(DurableObject o, int index, char value) {
    FieldAccess.putChar(o, o.type.places[index], value);
  }

  /** Writes a field. */
  public static void putInt(DurableObject o, int index, int value) {
    FieldAccess.putInt(o, o.type.places[index], value);
  }

  /** Writes a field. */
  public static void putLong(DurableObject o, int index, long value) {
    FieldAccess.putLong(o, o.type.places[index], value);
  }

  /** Writes a field. */
  public static void putFloat(DurableObject o, int index, float value) {
    FieldAccess.putFloat(o, o.type.places[index], value);
  }

  /** Writes a field. */
  public static void putDouble(DurableObject o, int index, double value) {
    FieldAccess.putDouble(o, o.type.places[index], value);
  }

  /** Writes a field. */
  public static void putObject(DurableObject o, int index, @Nullable Object value) {
    FieldAccess.putObject(o, o.type.places[index], value);
  }
}
