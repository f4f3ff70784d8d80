package io.everheap.durable.type;

import io.everheap.codec.Codec;
import io.everheap.error.CorruptException;
import io.everheap.error.UnsupportedTypeException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Caches the layouts and codecs of the types in a heap's type table. For one thread. */
public final class ObjectLayouts {
  private final StoredTypes types;
  private final Function<String, Codec<Object>> described;
  private final Map<Long, ObjectLayout> layouts = new HashMap<>();
  private final Map<String, Codec<Object>> codecs = new HashMap<>();

  /**
   * Creates the cache of a heap.
   *
   * @param types of the heap
   * @param codecs by their names; throws {@link UnsupportedTypeException}
   */
  public ObjectLayouts(StoredTypes types, Function<String, Codec<Object>> codecs) {
    this.types = types;
    this.described = codecs;
  }

  /**
   * Returns the layout of the version with this number.
   *
   * @throws CorruptException if there is none
   */
  ObjectLayout of(long number) {
    ObjectLayout known = layouts.get(number);
    if (known == null) {
      @Nullable String text = types.find(number);
      if (text == null || !TypeDescriptor.isText(text)) {
        throw CorruptException.heap(
            "type number "
                + number
                + (text == null ? " does not exist" : " is " + text + ", no type of objects"));
      }
      known = ObjectLayout.of(TypeDescriptor.parse(text));
      layouts.put(number, known);
    }
    return known;
  }

  /**
   * Returns the codec of this name without the program's classes.
   *
   * @throws UnsupportedTypeException if it is the program's own
   */
  Codec<Object> codec(String name) {
    Codec<Object> known = codecs.get(name);
    if (known == null) {
      known = described.apply(name);
      codecs.put(name, known);
    }
    return known;
  }
}
