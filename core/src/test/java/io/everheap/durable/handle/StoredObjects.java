package io.everheap.durable.handle;

import io.everheap.engine.alloc.Reference;

/** Where the objects of handles are, for tests that look at the words of a heap. */
public final class StoredObjects {
  private StoredObjects() {}

  public static long reference(Object object) {
    return ((ObjectHandle) object).reference;
  }

  public static long address(Object object) {
    return Reference.address(reference(object));
  }

  public static long header(Object object) {
    return ((ObjectHandle) object).header;
  }

  /** Bytes of all fields. */
  public static int payload(Object object) {
    return ((ObjectHandle) object).type.layout.payload();
  }

  /** Offset of a field from the address. */
  public static int offset(Object object, String field) {
    for (BoundField each : ((ObjectHandle) object).type.fields) {
      if (each.name.equals(field)) {
        return each.offset;
      }
    }
    throw new IllegalArgumentException(field);
  }
}
