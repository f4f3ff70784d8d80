package io.everheap.codec.composite;

import io.everheap.codec.Was;
import java.lang.reflect.AnnotatedElement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A component, a constant or a permitted class of a type of the program.
 *
 * @param name what descriptions call it
 * @param formerly the names that it had before
 * @param kept the former names that descriptions keep
 */
public record Member(String name, List<String> formerly, List<String> kept) {
  Member(String name, List<String> formerly) {
    this(name, formerly, List.of());
  }

  /** The former names that {@link Was} states. */
  public static List<String> formerly(@Nullable AnnotatedElement element) {
    Was was = element == null ? null : element.getAnnotation(Was.class);
    return was == null ? List.of() : List.of(was.value());
  }
}
