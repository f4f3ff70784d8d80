package io.everheap.codec.evolution;

import io.everheap.codec.Codec;
import io.everheap.codec.composite.CompositeCodec;
import io.everheap.codec.composite.DeclaredType;
import io.everheap.codec.described.DescribedType;
import java.util.LinkedHashMap;
import java.util.Map;

/** The records, enums and sealed types of stored descriptions. */
final class TypeMatch {
  private TypeMatch() {}

  /** Those that a description has, by their names. */
  static Map<String, DescribedType> of(Codec<?> version) {
    Map<String, DescribedType> types = new LinkedHashMap<>();
    collect(version, types);
    return types;
  }

  private static void collect(Codec<?> codec, Map<String, DescribedType> types) {
    if (codec instanceof DescribedType type && types.putIfAbsent(type.type(), type) != null) {
      return;
    }
    if (codec instanceof CompositeCodec<?> composite) {
      composite.parts().forEach(part -> collect(part, types));
    }
  }

  /** Whether a stored type is one that the program has under the same or a later name. */
  static boolean isEarlier(Codec<?> stored, Codec<?> wanted) {
    return stored instanceof DescribedType described
        && wanted instanceof DeclaredType declared
        && declared.isOrWas(described.type());
  }

  /** What messages call a codec. */
  static String brief(Codec<?> codec) {
    return codec instanceof CompositeCodec<?> composite && composite.declared()
        ? composite.head()
        : codec.name();
  }

  /** The line that tells a difference. */
  static String difference(String where, Codec<?> stored, String more, Codec<?> wanted) {
    return "%sstored %s%s, wanted %s"
        .formatted(where.isEmpty() ? "" : where + ": ", brief(stored), more, brief(wanted));
  }
}
