package io.everheap.codec;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Builds the name of a codec from those of its parts. The first mention of a declared type
 * describes it in full; later ones, and those within itself, only name it:
 *
 * <pre>
 *   record Node(int value, list&lt;record Node&gt;? children)
 * </pre>
 *
 * Equal layouts have equal names, however their codecs were made.
 */
final class CodecNames {
  /** Most characters of the name of a codec that is not built in. */
  static final int MAX_USER_NAME = 1000;

  private static final String RESERVED = "<>(),?= ";

  private static final Set<String> KEYWORDS =
      Set.of(
          "record",
          "sealed",
          "enum",
          "list",
          "set",
          "optional",
          "nullable",
          "array",
          "map",
          VersionsCodec.HEAD,
          "ref",
          "object");

  private final StringBuilder text = new StringBuilder();
  private final Map<String, StructuredCodec<?>> described = new HashMap<>();

  private CodecNames() {}

  static String describe(StructuredCodec<?> codec) {
    var names = new CodecNames();
    names.append(codec);
    return names.text.toString();
  }

  /** Checks the name of a codec; those of its parts are checked when its name is made. */
  static void require(Codec<?> codec) {
    if (codec instanceof EnumCodec || codec instanceof DescribedEnum) {
      return;
    }
    if (codec instanceof ObjectCodec<?> object) {
      requireTypeName(object.type());
      return;
    }
    String name = codec.name();
    if (codec instanceof StructuredCodec) {
      return;
    }
    Codec<?> builtIn = Codecs.builtIn(name);
    if (builtIn != null && builtIn.equals(codec)) {
      return;
    }
    if (builtIn != null || KEYWORDS.contains(name)) {
      throw refused(codec, name, "a built-in codec has it");
    }
    if (name.isEmpty() || name.length() > MAX_USER_NAME) {
      throw refused(codec, name, "it has 1 to " + MAX_USER_NAME + " characters");
    }
    if (name.chars().anyMatch(c -> RESERVED.indexOf(c) >= 0)) {
      throw refused(codec, name, "it must not contain any of " + RESERVED + "or spaces");
    }
  }

  /**
   * Checks the name of a type of objects.
   *
   * @throws IllegalArgumentException if it has characters that names are told apart by
   */
  static void requireTypeName(String name) {
    if (name.isEmpty()
        || name.length() > MAX_USER_NAME
        || name.chars().anyMatch(c -> RESERVED.indexOf(c) >= 0)) {
      throw new IllegalArgumentException(
          "A type of objects cannot have the name '"
              + (name.length() <= MAX_USER_NAME ? name : name.substring(0, 50) + "...")
              + "': it has 1 to "
              + MAX_USER_NAME
              + " characters, none of them one of "
              + RESERVED
              + "or a space.");
    }
  }

  private static IllegalArgumentException refused(Codec<?> codec, String name, String why) {
    String shown = name.length() <= MAX_USER_NAME ? name : name.substring(0, 50) + "...";
    return new IllegalArgumentException(
        codec.getClass().getName() + " cannot have the name '" + shown + "': " + why);
  }

  private void append(Codec<?> codec) {
    if (codec instanceof StructuredCodec<?> structured) {
      appendStructure(structured);
    } else {
      require(codec);
      text.append(codec.name());
    }
  }

  private void appendStructure(StructuredCodec<?> codec) {
    String head = codec.head();
    text.append(head);
    if (codec.declared()) {
      StructuredCodec<?> earlier = described.putIfAbsent(head, codec);
      if (earlier != null && same(earlier, codec, new HashSet<>())) {
        return;
      }
    }
    text.append(codec.declared() ? '(' : '<');
    List<Codec<?>> parts = codec.parts();
    for (int i = 0; i < parts.size(); i++) {
      String label = codec.label(i);
      int at = label.indexOf('%');
      text.append(i == 0 ? "" : codec.declared() ? ", " : ",").append(label, 0, at);
      if (head.equals(VersionsCodec.HEAD)) {
        described.clear(); // versions are described one by one
      }
      append(parts.get(i));
      text.append(label, at + 1, label.length());
    }
    text.append(codec.declared() ? ')' : '>');
  }

  private record Pair(Codec<?> one, Codec<?> other) {}

  /** Whether two codecs have the same layout, if those pairs have that are being compared. */
  private static boolean same(Codec<?> one, Codec<?> other, Set<Pair> assumed) {
    if (one.equals(other) || !assumed.add(new Pair(one, other))) {
      return true;
    }
    if (!(one instanceof StructuredCodec<?> a) || !(other instanceof StructuredCodec<?> b)) {
      return one.name().equals(other.name());
    }
    List<Codec<?>> as = a.parts();
    List<Codec<?>> bs = b.parts();
    boolean same = a.head().equals(b.head()) && as.size() == bs.size();
    for (int i = 0; same && i < as.size(); i++) {
      same = a.label(i).equals(b.label(i)) && same(as.get(i), bs.get(i), assumed);
    }
    return same;
  }
}
