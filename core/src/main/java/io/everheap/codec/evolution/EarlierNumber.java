package io.everheap.codec.evolution;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import java.util.Map;
import java.util.Set;

/**
 * Reads numbers and characters as a wider primitive type, of which each of them is a value. It
 * writes none.
 */
record EarlierNumber(Codec<?> stored, String wanted) implements Codec<Object> {
  private static final Map<String, Set<String>> WIDER =
      Map.of(
          "byte", Set.of("short", "int", "long", "float", "double"),
          "short", Set.of("int", "long", "float", "double"),
          "char", Set.of("int", "long", "float", "double"),
          "int", Set.of("long", "double"),
          "float", Set.of("double"));

  /** Whether every value of a primitive type is one of another. */
  static boolean isWider(String stored, String wanted) {
    return WIDER.getOrDefault(stored, Set.of()).contains(wanted);
  }

  @Override
  public String name() {
    return "earlier";
  }

  @Override
  public void write(Object value, CodecOutput out) {
    throw new UnsupportedOperationException("values are written in their present form");
  }

  @Override
  public Object read(CodecInput in) {
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
