package io.everheap.structure.common;

import io.everheap.error.UnsupportedTypeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The type of values that are structures themselves: {@code ref map<string,ref set<long>>}. Types
 * are finite, and a structure holds references to smaller types only, so no structure can lead back
 * to itself.
 *
 * @param kind of the structures
 * @param types names of the types of their parts, in the order of the parts
 */
public record NestedType(StructureKind kind, List<String> types) {

  private static final String RESERVED = "<>(),";

  /** Copies the list. */
  public NestedType {
    types = List.copyOf(types);
  }

  /** The type of the structures that a definition makes. */
  static NestedType of(Definition<?> definition) {
    List<StructureKind.Part> parts = definition.kind().parts();
    List<String> types = definition.types();
    for (int i = 0; i < parts.size(); i++) {
      String type = types.get(i);
      if (!parts.get(i).codec() && type.chars().anyMatch(c -> RESERVED.indexOf(c) >= 0)) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "the %s '%s' of a nested structure has one of the characters %s",
                parts.get(i).name(),
                type,
                RESERVED));
      }
    }
    return new NestedType(definition.kind(), types);
  }

  /**
   * Reads a name. Names come out of heaps, so nothing about them is taken for granted.
   *
   * @throws UnsupportedTypeException if it is not the name of such a type
   */
  public static NestedType parse(String name, StructureContext.Kinds kinds) {
    if (!NestedNames.isNested(name)) {
      throw unknown(name, "it does not begin with '" + NestedNames.PREFIX + "'");
    }
    int open = name.indexOf('<');
    String kindName = name.substring(NestedNames.PREFIX.length(), open < 0 ? name.length() : open);
    StructureKind kind = kinds.named(kindName);
    if (kind == null) {
      throw unknown(name, "no structure is a '" + kindName + "'");
    }
    List<String> types = open < 0 ? List.of() : split(name, open);
    if (types.size() != kind.parts().size()) {
      throw unknown(name, "a " + kindName + " has " + kind.parts().size() + " types");
    }
    return new NestedType(kind, types);
  }

  /** The types within the brackets: at their top level, commas separate them. */
  private static List<String> split(String name, int open) {
    List<String> types = new ArrayList<>();
    int depth = 0;
    int start = open + 1;
    for (int i = open; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '<' || c == '(') {
        depth++;
      } else if (c == '>' || c == ')') {
        depth--;
      }
      boolean last = depth == 0;
      if (last || (depth == 1 && c == ',')) {
        types.add(name.substring(start, i));
        start = i + 1;
      }
      if (last && i + 1 < name.length()) {
        throw unknown(name, "nothing may follow character " + i);
      }
    }
    if (depth != 0) {
      throw unknown(name, "a bracket is not closed");
    }
    return types;
  }

  private static UnsupportedTypeException unknown(String name, String why) {
    return new UnsupportedTypeException(
        name, "its name", "it is no type of nested structures: " + why, null);
  }

  /** As the type table keeps it. */
  public String name() {
    String head = NestedNames.PREFIX + kind.name();
    return types.isEmpty() ? head : head + '<' + String.join(",", types) + '>';
  }
}
