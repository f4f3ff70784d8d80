package io.everheap.codec.evolution;

import io.everheap.codec.Codec;
import io.everheap.codec.composite.CompositeCodec;
import io.everheap.codec.composite.DeclaredType;
import io.everheap.codec.described.DescribedType;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Which described type of a heap is an earlier version of which type of the program. */
final class TypeMatch {
  private TypeMatch() {}

  /** The records, enums and sealed types of a description, by their names. */
  static Map<String, DescribedType> types(Codec<?> described) {
    Map<String, DescribedType> types = new LinkedHashMap<>();
    for (Codec<?> part : CompositeCodec.reach(described)) {
      if (part instanceof DescribedType type) {
        types.putIfAbsent(type.type(), type);
      }
    }
    return types;
  }

  /** Whether the program has a stored type under the same or a later name. */
  static boolean isEarlier(Codec<?> stored, Codec<?> wanted) {
    return stored instanceof DescribedType described
        && wanted instanceof DeclaredType declared
        && declared.isOrWas(described.type());
  }

  /** Whether two codecs are of the same generic type of the JDK, whatever their parts are. */
  static boolean haveLikeParts(Codec<?> stored, Codec<?> wanted) {
    return stored instanceof CompositeCodec<?> of
        && wanted instanceof CompositeCodec<?> to
        && !to.declared()
        && of.head().equals(to.head());
  }

  /** A line that says how a stored type differs from the one that the program has. */
  static String difference(String where, Codec<?> stored, String more, Codec<?> wanted) {
    return String.format(
        Locale.ROOT,
        "%sstored %s%s, wanted %s",
        where.isEmpty() ? "" : where + ": ",
        brief(stored),
        more,
        brief(wanted));
  }

  private static String brief(Codec<?> codec) {
    return codec instanceof CompositeCodec<?> composite && composite.declared()
        ? composite.head()
        : codec.name();
  }
}
