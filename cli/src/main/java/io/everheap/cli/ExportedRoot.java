package io.everheap.cli;

import io.everheap.Root;
import io.everheap.codec.Codec;
import io.everheap.codec.described.DescribedCodecs;
import io.everheap.error.UnsupportedTypeException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A root as an export describes it.
 *
 * @param name of the root
 * @param kind of structure
 * @param types of its parts
 * @param entries that follow
 */
record ExportedRoot(String name, String kind, Map<String, String> types, long entries) {
  /** Most characters of a key or a value in an export. */
  static final int MAX_TEXT = 1 << 24;

  /** Most characters of a line: a key and a value, of which each character may be quoted. */
  static final int MAX_LINE = 4 * MAX_TEXT + 1_000;

  private static final Set<String> KEYED = Set.of("map", "sorted map");
  private static final Set<String> KINDS =
      Set.of("map", "sorted map", "set", "sorted set", "list", "deque", "counter", "atomic long");

  static ExportedRoot of(Root root) {
    return new ExportedRoot(root.name(), root.kind(), root.types(), root.size());
  }

  /** The same root without some of its entries. */
  ExportedRoot without(long left) {
    return new ExportedRoot(name, kind, types, entries - left);
  }

  /**
   * Refuses a line that is too long, before all of it is in memory.
   *
   * @param length number of characters that were read
   */
  static void requireShort(int length) {
    if (length > MAX_LINE) {
      throw new RefusedException("a line is longer than " + MAX_LINE + " characters");
    }
  }

  /** Whether its entries have keys. */
  boolean hasKeys() {
    return KEYED.contains(kind);
  }

  /** Whether it holds one number and no values of a type. */
  boolean isNumber() {
    return kind.equals("counter") || kind.equals("atomic long");
  }

  /** The codec of keys; null if entries have none. */
  @Nullable Codec<Object> keys() {
    return hasKeys() ? codec("key") : null;
  }

  /** The codec of values or elements. */
  Codec<Object> values() {
    return isNumber() ? DescribedCodecs.of("long") : codec(hasKeys() ? "value" : "element");
  }

  /**
   * Checks that structures of this kind can be made of JSON.
   *
   * @throws RefusedException if not; the message says why
   */
  void requireKind() {
    if (!KINDS.contains(kind)) {
      throw new RefusedException("it is a " + shown(kind));
    }
    var _ = keys();
    var _ = values();
  }

  private Codec<Object> codec(String part) {
    String type = types.get(part);
    if (type == null || type.startsWith("ref ") || type.startsWith("object ")) {
      throw new RefusedException(
          "its " + part + "s refer to other structures or objects: " + shown(type));
    }
    try {
      return DescribedCodecs.of(type);
    } catch (UnsupportedTypeException e) {
      throw new RefusedException(
          "its " + part + "s have a type that only the program knows: " + shown(type));
    }
  }

  /** A text of an export for messages. */
  static String shown(@Nullable String text) {
    return text == null || text.length() <= 100 ? text + "" : text.substring(0, 100) + "...";
  }
}
