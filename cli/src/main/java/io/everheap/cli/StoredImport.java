package io.everheap.cli;

import io.everheap.Heap;
import io.everheap.codec.Codec;
import io.everheap.collection.DurableAtomicLong;
import io.everheap.collection.DurableCounter;
import io.everheap.collection.DurableDeque;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.DurableSortedSet;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes a root of an export. It is built under another name and renamed when it is complete, so
 * that an import that was interrupted leaves no half root.
 */
final class StoredImport {
  /** Begins the name of a root that is not complete; no name of a program begins so. */
  private static final String UNFINISHED = "everheap.import ";

  private final Heap heap;
  private final ExportedRoot root;
  private final String unfinished;
  private final @Nullable Codec<Object> keys;
  private final Codec<Object> values;
  private final BiConsumer<@Nullable Object, Object> add;

  StoredImport(Heap heap, ExportedRoot root) {
    this.heap = heap;
    this.root = root;
    this.unfinished = UNFINISHED + root.name();
    if (heap.contains(root.name())) {
      throw new RefusedException("there is a root " + root.name() + " already");
    }
    root.requireKind();
    this.keys = root.keys();
    this.values = root.values();
    heap.remove(unfinished);
    this.add = adder();
  }

  /** Adds an entry, in the running transaction. */
  void add(TransferEntry entry) {
    Object key = keys == null ? null : entry.key(keys);
    Object value = entry.value(values);
    if (value == null || (keys != null && key == null)) {
      throw new RefusedException("an entry of " + root.name() + " is null");
    }
    add.accept(key, value);
  }

  /** Gives the root its name. */
  void complete() {
    long found =
        heap.roots().stream().filter(r -> r.name().equals(unfinished)).findFirst().get().size();
    if (found != root.entries()) {
      throw new RefusedException(
          String.format(
              Locale.ROOT,
              "%s has %d different entries, not %d",
              root.name(),
              found,
              root.entries()));
    }
    heap.rename(unfinished, root.name());
  }

  /** Removes what was added. */
  void abandon() {
    heap.remove(unfinished);
  }

  private BiConsumer<@Nullable Object, Object> adder() {
    return switch (root.kind()) {
      case "map" -> put(heap.map(unfinished, keysOf(), values));
      case "sorted map" -> put(heap.root(unfinished, DurableSortedMap.of(keysOf(), values)));
      case "set" -> addTo(heap.set(unfinished, values));
      case "sorted set" -> addTo(heap.root(unfinished, DurableSortedSet.of(values)));
      case "list" -> addTo(heap.list(unfinished, values));
      case "deque" -> addTo(heap.root(unfinished, DurableDeque.of(values)));
      case "counter" -> {
        DurableCounter counter = heap.root(unfinished, DurableCounter.of());
        yield (key, value) -> counter.add((Long) value);
      }
      default -> {
        DurableAtomicLong number = heap.root(unfinished, DurableAtomicLong.of());
        yield (key, value) -> number.set((Long) value);
      }
    };
  }

  private Codec<Object> keysOf() {
    if (keys == null) {
      throw new IllegalStateException(root.kind());
    }
    return keys;
  }

  private static BiConsumer<@Nullable Object, Object> put(Map<Object, Object> map) {
    return (key, value) -> {
      if (key != null) {
        map.put(key, value);
      }
    };
  }

  private static BiConsumer<@Nullable Object, Object> addTo(Collection<Object> elements) {
    return (key, value) -> elements.add(value);
  }
}
