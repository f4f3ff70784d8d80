package io.everheap.structure.names;

import io.everheap.codec.Codecs;
import io.everheap.collection.DurableMap;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.GoneException;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.map.HashKind;
import io.everheap.structure.map.MapHandle;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The types of a heap by number: a durable map from their names to 1, 2, 3 and so on, whose
 * reference stands in a catalog word. Types are never removed, but one that was added in a
 * transaction that is rolled back gives its number to another: nothing is remembered here.
 */
public final class TypeTable implements StructureContext.Types {
  /** Catalog word with the reference of the map from type names to numbers. */
  public static final int CATALOG_WORD = 1;

  private static final Definition<DurableMap<String, Long>> NAMES =
      HashKind.mapOf(Codecs.STRING, Codecs.LONG);

  private final StructureContext heap;

  /**
   * The types of a heap.
   *
   * @param heap the heap
   */
  public TypeTable(StructureContext heap) {
    this.heap = heap;
  }

  /** The name of the type with this number, or what says that there is none. */
  @Override
  public String name(long number) {
    String name = find(number);
    return name != null ? name : "unknown type " + number;
  }

  @Override
  public @Nullable String find(long number) {
    MapHandle<String, Long> types = names(heap, CATALOG_WORD).orElse(null);
    if (types != null) { // without streams, whose code is cold when a heap is opened
      types.requireSound();
      for (Map.Entry<String, Long> type : types.entrySet()) {
        if (type.getValue() == number) {
          return type.getKey();
        }
      }
    }
    return null;
  }

  @Override
  public Map<Long, String> all() {
    Map<Long, String> all = new TreeMap<>();
    names(heap, CATALOG_WORD)
        .ifPresent(
            types -> {
              types.requireSound();
              types.forEach((name, number) -> all.put(number, name));
            });
    return all;
  }

  /** The number of a type, or 0 if there is none of this name. */
  @Override
  public long find(String name) {
    return names(heap, CATALOG_WORD)
        .map(
            types -> {
              types.requireSound(name);
              return types.getOrDefault(name, 0L);
            })
        .orElse(0L);
  }

  /** The number of a type, which is added if there is none of this name; in a transaction. */
  @Override
  public long number(String name) {
    MapHandle<String, Long> types = makeNames(heap, CATALOG_WORD);
    types.requireSound(name);
    Long number = types.get(name);
    if (number == null) {
      number = types.size() + 1L; // types are never removed
      types.put(name, number);
    }
    return number;
  }

  /**
   * The map of names and numbers in a catalog word, if it was made. Its readers compare pages with
   * their checksums before they believe what it has, since a name that damage hides would be given
   * to something new.
   *
   * @throws io.everheap.error.CorruptException if its page is damaged, or the word leads to
   *     something else
   */
  public static Optional<MapHandle<String, Long>> names(StructureContext heap, int word) {
    long at = heap.catalog(word);
    heap.memory().requireSound(at, Long.BYTES);
    long ref = heap.memory().getLong(at);
    if (ref == 0) {
      return Optional.empty();
    }
    try {
      return Optional.of(MapHandle.attach(heap, ref, Codecs.STRING, Codecs.LONG));
    } catch (GoneException e) { // such a map is never freed
      throw Damage.at(at, "the table of names does not exist: " + e.getMessage());
    }
  }

  /** The map of names and numbers in a catalog word, made if there is none; in a transaction. */
  public static MapHandle<String, Long> makeNames(StructureContext heap, int word) {
    Optional<MapHandle<String, Long>> map = names(heap, word);
    if (map.isPresent()) {
      return map.get();
    }
    long ref = NAMES.create(heap, new long[] {0, 0}); // the types of types have no numbers
    heap.memory().putLong(Stripes.NONE, heap.catalog(word), ref);
    return MapHandle.attach(heap, ref, Codecs.STRING, Codecs.LONG);
  }
}
