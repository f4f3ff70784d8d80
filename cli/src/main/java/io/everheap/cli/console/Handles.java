package io.everheap.cli.console;

import io.everheap.cli.RefusedException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Names for things that the page was shown and can ask for: objects, structures, long texts. So the
 * page never sends an address. The oldest are forgotten. Thread-safe.
 */
final class Handles {
  private static final int MOST = 4_000;

  private final Map<String, Object> things = new LinkedHashMap<>();
  private long next = 1;

  /** Names a thing. */
  synchronized String add(Object thing) {
    String id = Long.toString(next++);
    things.put(id, thing);
    if (things.size() > MOST) {
      things.remove(things.keySet().iterator().next());
    }
    return id;
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
