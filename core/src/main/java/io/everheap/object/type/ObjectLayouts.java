package io.everheap.object.type;

import io.everheap.codec.Codec;
import io.everheap.error.CorruptHeapException;
import io.everheap.error.UnsupportedTypeException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The layouts and codecs of a heap's objects as its type table has them. Used by one thread. */
public final class ObjectLayouts {
  private final StoredTypes types;
  private final Function<String, Codec<Object>> described;
  private final Map<Long, ObjectLayout> layouts = new HashMap<>();
  private final Map<String, Codec<Object>> codecs = new HashMap<>();

  /**
   * Layouts of a heap.
   *
   * @param types of the heap
   * @param codecs by their names; throws {@link UnsupportedTypeException}
   */
  public ObjectLayouts(StoredTypes types, Function<String, Codec<Object>> codecs) {
    this.types = types;
    this.described = codecs;
  }

  /**
   * The layout of the version with this number.
   *
   * @throws CorruptHeapException if there is none
   */
  ObjectLayout of(long number) {
    ObjectLayout known = layouts.get(number);
    if (known == null) {
      @Nullable String text = types.find(number);
      if (text == null || !TypeDescriptor.isText(text)) {
        throw new CorruptHeapException(
            "type number "
                + number
                + " is "
                + (text == null ? "nobody's" : text + ", no type of objects"));
      }
      known = ObjectLayout.of(TypeDescriptor.parse(text));
      layouts.put(number, known);
    }
    return known;
  }

  /**
   * The codec of this name, as tools have it.
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
