package io.everheap.codec.check;

import io.everheap.codec.Codec;
import java.util.Locale;
import java.util.Set;

/**
 * The rules for the names that users give to their codecs and to types of objects. The rules keep
 * these names distinct from built-in ones and from the syntax of composed names.
 */
public final class NameCheck {
  private static final int MAX_LENGTH = 1000;
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
          "versions",
          "ref",
          "object");

  private NameCheck() {}

  /**
   * Checks the name of a codec, built in or the program's own.
   *
   * @throws IllegalArgumentException if the name is reserved or that of a built-in codec
   */
  public static void require(Codec<?> codec) {
    String name = codec.name();
    Codec<?> builtIn = BuiltIns.of(name);
    if (builtIn != null && builtIn.equals(codec)) {
      return;
    }
    if (builtIn != null || KEYWORDS.contains(name)) {
      throw refused(codec, name, "a built-in codec has it");
    }
    if (name.isEmpty() || name.length() > MAX_LENGTH) {
      throw refused(codec, name, "it has 1 to " + MAX_LENGTH + " characters");
    }
    if (hasReserved(name)) {
      throw refused(codec, name, "it must not contain any of " + RESERVED + "or a space");
    }
  }

  /**
   * Checks the name of a type of objects.
   *
   * @throws IllegalArgumentException if it is empty, too long, or has a reserved character
   */
  public static void requireTypeName(String name) {
    if (name.isEmpty() || name.length() > MAX_LENGTH || hasReserved(name)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "A type of objects cannot have the name '%s': it has 1 to %d characters, none of them one"
                  + " of %sor a space.",
              shown(name),
              MAX_LENGTH,
              RESERVED));
    }
  }

  private static boolean hasReserved(String name) {
    return name.chars().anyMatch(c -> RESERVED.indexOf(c) >= 0);
  }

  private static String shown(String name) {
    return name.length() <= MAX_LENGTH ? name : name.substring(0, 50) + "...";
  }

  private static IllegalArgumentException refused(Codec<?> codec, String name, String why) {
    return new IllegalArgumentException(
        codec.getClass().getName() + " cannot have the name '" + shown(name) + "': " + why);
  }
}
