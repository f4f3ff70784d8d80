package io.everheap.codec;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads numbers and characters as a wider primitive type, of which each of them is a value. */
final class EarlierNumber extends EarlierForm<Object> {
  private static final Map<String, Set<String>> WIDER =
      Map.of(
          "byte", Set.of("short", "int", "long", "float", "double"),
          "short", Set.of("int", "long", "float", "double"),
          "char", Set.of("int", "long", "float", "double"),
          "int", Set.of("long", "double"),
          "float", Set.of("double"));

  private final Codec<?> stored;
  private final String wanted;

  private EarlierNumber(Codec<?> stored, String wanted) {
    this.stored = stored;
    this.wanted = wanted;
  }

  /** The codec, or null if the type is not a wider one. */
  static @Nullable EarlierNumber of(Codec<?> stored, Codec<?> wanted) {
    return isWider(stored.name(), wanted.name()) ? new EarlierNumber(stored, wanted.name()) : null;
  }

  /** Whether every value of a primitive type is one of another. */
  static boolean isWider(String stored, String wanted) {
    return WIDER.getOrDefault(stored, Set.of()).contains(wanted);
  }

  @Override
  Object decode(CodecInput in) {
    Object value = stored.read(in);
    Number number = value instanceof Character character ? (int) character : (Number) value;
    return switch (wanted) {
      case "short" -> number.shortValue();
      case "int" -> number.intValue();
      case "long" -> number.longValue();
      case "float" -> number.floatValue();
      default -> number.doubleValue();
    };
  }
}
