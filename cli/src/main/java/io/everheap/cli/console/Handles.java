package io.everheap.cli.console;

import io.everheap.cli.RefusedException;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/**
 * Names for things that the page was shown and can ask for: objects, structures, long texts. So the
 * page never sends an address. The oldest are forgotten, so that neither many things nor long texts
 * fill the memory. Thread-safe.
 */
final class Handles {
  private static final int MOST = 4_000;

  /** In all texts, bytes and numbers; one that is longer is kept until the next. */
  private static final long MOST_CHARACTERS = 32 << 20;

  private final SequencedMap<String, Object> things = new LinkedHashMap<>();
  private long next = 1;
  private long characters;

  /** Names a thing. */
  synchronized String add(Object thing) {
    String id = Long.toString(next++);
    things.put(id, thing);
    characters += length(thing);
    while (things.size() > 1 && (things.size() > MOST || characters > MOST_CHARACTERS)) {
      characters -= length(things.pollFirstEntry().getValue());
    }
    return id;
  }

  private static int length(Object thing) {
    return switch (thing) {
      case String text -> text.length();
      case byte[] bytes -> bytes.length;
      case Number number -> ShownValue.bits(number) / Byte.SIZE;
      default -> 0;
    };
  }

  /**
   * Finds a thing.
   *
   * @throws RefusedException if there is none of that name and type
   */
  synchronized <T> T get(String id, Class<T> type) {
    Object thing = things.get(id);
    if (!type.isInstance(thing)) {
      throw new RefusedException("this was shown too long ago; go back and open it again");
    }
    return type.cast(thing);
  }
}
