package io.everheap.collection.base;

import io.everheap.codec.Codec;
import io.everheap.codec.ObjectReference;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the objects that a decoded value leads to, whatever it is made of. */
public final class ObjectReferences {
  private static final String MENTION = "object ";

  private ObjectReferences() {}

  /** Whether values of a codec may lead to objects. */
  public static boolean mayHave(@Nullable Codec<?> codec) {
    return codec != null && codec.name().contains(MENTION);
  }

  /** Passes the references on that a value of a described codec holds. */
  public static void follow(@Nullable Object value, StructureFindings findings) {
    switch (value) {
      case ObjectReference object -> findings.object(object.reference());
      case Optional<?> optional -> follow(optional.orElse(null), findings);
      case Iterable<?> elements -> elements.forEach(e -> follow(e, findings));
      case Map<?, ?> map ->
          map.forEach(
              (k, v) -> {
                follow(k, findings);
                follow(v, findings);
              });
      case Object[] elements -> {
        for (Object element : elements) {
          follow(element, findings);
        }
      }
      case null, default -> {}
    }
  }
}
