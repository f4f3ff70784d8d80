package io.everheap.structure.common;

import io.everheap.codec.Codec;
import io.everheap.codec.ObjectReference;
import io.everheap.codec.reference.References;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds what a decoded value leads to, whatever it is made of. */
public final class ObjectReferences {
  private ObjectReferences() {}

  /** Stands for a reference to a structure that is gone. */
  public record Gone(String message) {}

  /** Whether values of a codec may lead to objects or structures. */
  public static boolean mayHave(@Nullable Codec<?> codec) {
    return codec != null && References.inCodec(codec);
  }

  /**
   * Passes the references on that a value of a described codec holds.
   *
   * @param address of what holds the value
   * @param key of the entry, or the name of the field
   */
  public static void follow(
      @Nullable Object value, StructureFindings findings, long address, @Nullable Object key) {
    switch (value) {
      case ObjectReference object -> findings.object(object.reference(), address, key);
      case Gone gone -> findings.dangling(address, key, gone.message());
      case Optional<?> optional -> follow(optional.orElse(null), findings, address, key);
      case Iterable<?> elements -> elements.forEach(e -> follow(e, findings, address, key));
      case Map<?, ?> map ->
          map.forEach(
              (k, v) -> {
                follow(k, findings, address, key);
                follow(v, findings, address, key);
              });
      case Object[] elements -> {
        for (Object element : elements) {
          follow(element, findings, address, key);
        }
      }
      case null, default -> {}
    }
  }
}
