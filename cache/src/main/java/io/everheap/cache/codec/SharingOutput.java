package io.everheap.cache.codec;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes equal strings and boxed numbers of an object as if they were one. Serialization refers
 * back to what it has written already, so the bytes of an object would depend on whether equal
 * parts of it are the same ones. Records that are not serializable are written as {@link
 * StoredRecord}s. Objects whose classes could not be read again are refused.
 */
final class SharingOutput extends ObjectOutputStream {
  private final SerialFilter filter;
  private final Map<Object, Object> shared = new HashMap<>();

  SharingOutput(OutputStream out, SerialFilter filter) throws IOException {
    super(out);
    this.filter = filter;
    enableReplaceObject(true);
  }

  @Override
  protected @Nullable Object replaceObject(@Nullable Object part) {
    if (part == null) {
      return null;
    }
    if (isScalar(part)) {
      return shared.computeIfAbsent(part, key -> key);
    }
    filter.requireAllowed(part.getClass());
    return StoredRecord.applies(part) ? StoredRecord.of(part) : part;
  }

  private static boolean isScalar(Object part) {
    return part instanceof String
        || part instanceof Character
        || part instanceof Boolean
        || (part instanceof Number && part.getClass().getPackageName().equals("java.lang"));
  }
}
