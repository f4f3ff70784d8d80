package io.everheap.cli;

import io.everheap.Heap;
import io.everheap.Root;
import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.codec.described.DescribedCodecs;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.DurableSortedSet;
import io.everheap.collection.Structure;
import io.everheap.collection.Undecodable;
import io.everheap.error.CorruptValueException;
import io.everheap.error.EverheapException;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A map, set or list of a heap, used by the types that the heap stores, without the classes of the
 * program. The codecs have the stored names, so that opening the root changes no type.
 */
public final class StoredCollection {
  private final Heap heap;
  private final Root root;

  private StoredCollection(Heap heap, Root root) {
    this.heap = heap;
    this.root = root;
  }

  /**
   * Finds a root.
   *
   * @throws NoSuchRootException if there is none with this name
   */
  public static StoredCollection of(Heap heap, String name) {
    return heap.roots().stream()
        .filter(root -> root.name().equals(name))
        .findFirst()
        .map(root -> new StoredCollection(heap, root))
        .orElseThrow(() -> new NoSuchRootException(name, heap.names()));
  }

  /** Whether entries have a value beside their key: all but sets. */
  public boolean hasValues() {
    return !root.kind().endsWith("set");
  }

  /** Reads the key of an entry, the element of a set, or the position in a list. */
  public Object key(String argument) {
    boolean list = root.kind().equals("list");
    Codec<?> codec = list ? Codecs.INT : codec(hasValues() ? "key" : "element");
    Object key = JsonValues.parse(codec, argument);
    if (key == null) {
      throw new RefusedException("a key is not null");
    }
    return key;
  }

  /** Reads the value of an entry. */
  Object value(String argument) {
    Object value =
        JsonValues.parse(codec(root.kind().equals("list") ? "element" : "value"), argument);
    if (value == null) {
      throw new RefusedException("a value is not null");
    }
    return value;
  }

  /**
   * The value of a key, true for an element of a set, or null if there is none; an {@link
   * Undecodable} if this JVM cannot decode it.
   */
  public @Nullable Object get(Object key) {
    try {
      return decoded(key);
    } catch (CorruptValueException e) {
      return undecodable(key, e);
    }
  }

  private Undecodable undecodable(Object key, CorruptValueException failure) {
    Structure structure = root.kind().equals("list") ? list() : (Structure) map();
    Object position = key instanceof Integer at && root.kind().equals("list") ? (long) at : key;
    for (Iterator<Undecodable> i = structure.undecodable(); i.hasNext(); ) {
      Undecodable found = i.next();
      if (Objects.deepEquals(found.position(), position)) {
        return found;
      }
    }
    throw failure; // it is another one that does not decode
  }

  private @Nullable Object decoded(Object key) {
    if (root.kind().startsWith("sorted ") && !hasKnownOrder()) {
      return scan(key);
    }
    return switch (root.kind()) {
      case "map", "sorted map" -> map().get(key);
      case "set", "sorted set" -> set().contains(key) ? true : null;
      default -> {
        DurableList<Object> list = list();
        int at = (Integer) key;
        yield at >= 0 && at < list.size() ? list.get(at) : null;
      }
    };
  }

  /**
   * Whether the order of a sorted root is one that the heap stores: that of records is only in the
   * program's classes.
   */
  private boolean hasKnownOrder() {
    try {
      Object _ = root.kind().equals("sorted map") ? sortedMap() : sortedSet();
      return true;
    } catch (IllegalArgumentException | EverheapException e) {
      return false;
    }
  }

  /** Looks at all entries of a sorted root whose order only the program knows. */
  private @Nullable Object scan(Object key) {
    try (Stream<Map.Entry<Object, Object>> entries = heap.entries(root.name())) {
      return entries
          .filter(entry -> SameValue.of(hasValues() ? entry.getKey() : entry.getValue(), key))
          .findFirst()
          .map(entry -> hasValues() ? entry.getValue() : (Object) true)
          .orElse(null);
    }
  }

  private void requireKnownOrder() {
    if (root.kind().startsWith("sorted ") && !hasKnownOrder()) {
      throw new RefusedException(
          String.format(
              Locale.ROOT,
              "only the program knows the order of %s, a %s: change it with the program",
              root.name(),
              root.kind()));
    }
  }

  /**
   * Puts a value, and returns the one before, or null if the entry is new. The position behind the
   * last element of a list is a new one.
   */
  @Nullable Object put(Object key, @Nullable Object value) {
    requireKnownOrder();
    Optional<Object> found =
        heap.transact(
            () -> {
              Object before = get(key);
              switch (root.kind()) {
                case "map", "sorted map" -> map().putAll(Map.of(key, present(value)));
                case "set", "sorted set" -> set().add(key);
                default -> putAt((Integer) key, present(value));
              }
              return Optional.ofNullable(before);
            });
    return found.orElse(null);
  }

  /** Whether entries are in the order of their keys, so that they can be read from a key on. */
  public boolean isSorted() {
    return root.kind().startsWith("sorted ") && hasKnownOrder();
  }

  /** The entries of a sorted map or set from a key on; the value of an element is itself. */
  public Stream<Map.Entry<Object, Object>> from(Object key) {
    return root.kind().equals("sorted map")
        ? sortedMap().tailMap(key, true).entrySet().stream()
        : sortedSet().tailSet(key, true).stream().map(element -> Map.entry(element, element));
  }

  private void putAt(int at, Object value) {
    DurableList<Object> list = list();
    if (at < 0 || at > list.size()) {
      throw new RefusedException(
          String.format(
              Locale.ROOT,
              "the list has the positions 0 to %d; %d appends",
              list.size() - 1,
              list.size()));
    }
    if (at == list.size()) {
      list.add(value);
    } else {
      list.replace(at, value);
    }
  }

  /** Removes an entry, and returns its value, or null if there was none. */
  @Nullable Object remove(Object key) {
    requireKnownOrder();
    Optional<Object> found =
        heap.transact(
            () -> {
              Object before = get(key);
              if (before != null) {
                switch (root.kind()) {
                  case "map", "sorted map" -> map().keySet().remove(key);
                  case "set", "sorted set" -> set().remove(key);
                  default -> list().delete((Integer) key);
                }
              }
              return Optional.ofNullable(before);
            });
    return found.orElse(null);
  }

  private Map<Object, Object> map() {
    return root.kind().equals("map")
        ? heap.map(root.name(), codec("key"), codec("value"))
        : sortedMap();
  }

  private DurableSortedMap<Object, Object> sortedMap() {
    return heap.root(root.name(), DurableSortedMap.of(codec("key"), codec("value")));
  }

  private Set<Object> set() {
    return root.kind().equals("set") ? heap.set(root.name(), codec("element")) : sortedSet();
  }

  private DurableSortedSet<Object> sortedSet() {
    return heap.root(root.name(), DurableSortedSet.of(codec("element")));
  }

  private DurableList<Object> list() {
    return heap.list(root.name(), codec("element"));
  }

  private Codec<Object> codec(String part) {
    String type = root.types().get(part);
    if (type == null
        || !Set.of("map", "sorted map", "set", "sorted set", "list").contains(root.kind())) {
      throw new RefusedException(
          String.format(
              Locale.ROOT,
              "%s is a %s, not a map, set or list; dump shows it",
              root.name(),
              root.kind()));
    }
    if (type.startsWith("ref ") || type.startsWith("object ")) {
      throw new RefusedException(
          String.format(
              Locale.ROOT,
              "the %s of %s refers to other structures or objects (%s); dump shows it",
              part,
              root.name(),
              type));
    }
    return DescribedCodecs.of(type);
  }

  private static Object present(@Nullable Object value) {
    if (value == null) {
      throw new RefusedException("a value is missing");
    }
    return value;
  }
}
