package io.everheap.codec.composite;

import java.util.List;

/** A codec made for a record, an enum or a sealed type of the program. */
public interface DeclaredType {
  /** Name of the type, with its type arguments. */
  String type();

  /** The class. */
  Class<?> declaration();

  /** Its components, constants or permitted classes, in the order in which they are stored. */
  List<Member> members();

  /** Whether the type has a name or had it, whatever its type arguments are. */
  default boolean isOrWas(String name) {
    int arguments = name.indexOf('<');
    String raw = arguments < 0 ? name : name.substring(0, arguments);
    return declaration().getName().equals(raw) || Member.formerly(declaration()).contains(raw);
  }
}
