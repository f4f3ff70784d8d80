package io.everheap.codec.composite;

import io.everheap.codec.Was;
import java.lang.reflect.AnnotatedElement;
import java.util.List;

/** A codec made for a record, an enum or a sealed type of the program. */
public interface DeclaredType {
  /** Name of the type, with its type arguments. */
  String type();

  /** The class. */
  Class<?> declaration();

  /** Its components, constants or permitted classes, in the order in which they are stored. */
  List<Member> members();

  /**
   * A component, a constant or a permitted class.
   *
   * @param name what descriptions call it
   * @param formerly its former names
   * @param kept the former names that descriptions keep
   */
  record Member(String name, List<String> formerly, List<String> kept) {}

  /** Whether a name is the type's present or a former one, whatever its type arguments are. */
  default boolean isOrWas(String name) {
    int arguments = name.indexOf('<');
    String raw = arguments < 0 ? name : name.substring(0, arguments);
    return declaration().getName().equals(raw) || formerly(declaration()).contains(raw);
  }

  /** The former names that {@link Was} states. */
  static List<String> formerly(AnnotatedElement element) {
    Was was = element.getAnnotation(Was.class);
    return was == null ? List.of() : List.of(was.value());
  }
}
