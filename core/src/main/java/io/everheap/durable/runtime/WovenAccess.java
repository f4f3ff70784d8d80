package io.everheap.durable.runtime;

import io.everheap.durable.handle.ObjectReads;
import io.everheap.durable.handle.ReferenceReads;
import io.everheap.durable.handle.WovenClass;
import io.everheap.stability.Evolving;
import java.lang.invoke.MethodHandles;

/**
 * Finds fields of objects for woven classes, which read and write them by {@link FieldAccess}. A
 * field has an index within its class, and each heap has its own place for it.
 *
 * @since 0.9
 */
@Evolving
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

  /**
   * Returns the place that a heap has for a field, as {@link FieldAccess} wants it.
   *
   * @param o object of the heap
   * @param index of the field
   */
  public static int place(DurableObject o, int index) {
    return ObjectReads.place(o, index);
  }

  /** As {@link FieldAccess#follow}; also -1 if the field is stored by a codec. */
  public static long follow(DurableObject o, int place, long moment) {
    return ReferenceReads.followIfReference(o, place, moment);
  }
}
