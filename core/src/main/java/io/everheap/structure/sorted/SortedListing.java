package io.everheap.structure.sorted;

import io.everheap.codec.Codec;
import io.everheap.codec.ordered.OrderedForms;
import io.everheap.collection.KeyOrder;
import io.everheap.collection.Undecodable;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.StructureContext;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Lists the entries of sorted maps and sets for tools, which have no comparators. */
final class SortedListing {
  private static final Comparator<Object> UNKNOWN =
      (_, _) -> {
        throw new IllegalStateException("the order of the keys is not known");
      };

  private SortedListing() {}

  /** The entries in the order in which they are kept. */
  static Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, int header, Codec<Object> key, Codec<Object> value) {
    SortedStore<Object, Object> store = open(heap, reference, header, key, value);
    return store.isCompared()
        ? leaves(store)
            .map(leaf -> read(store, leaf))
            .flatMap(List::stream)
            .map(entry -> decode(store, entry))
        : new SortedMapHandle<>(store)
            .entrySet().stream()
                .map(entry -> new SimpleImmutableEntry<>(entry.getKey(), entry.getValue()));
  }

  /**
   * The entries whose key or value does not decode. They can be removed unless a comparator, which
   * only the program has, orders the keys.
   *
   * @param map whether values belong to the entries
   */
  static Iterator<Undecodable> undecodable(
      StructureContext heap,
      long reference,
      int header,
      Codec<Object> key,
      Codec<Object> value,
      boolean map) {
    SortedStore<Object, Object> store = open(heap, reference, header, key, value);
    if (store.isCompared()) {
      return leaves(store)
          .map(leaf -> read(store, leaf))
          .flatMap(List::stream)
          .mapMulti(
              (Raw entry, Consumer<Undecodable> failures) -> {
                Undecodable failure = store.failureOf(entry.key, entry.value, map);
                if (failure != null) {
                  failures.accept(failure);
                }
              })
          .iterator();
    }
    SortedMapHandle<Object, Object> handle = new SortedMapHandle<>(store);
    return store.undecodable(handle.cursor(true), map);
  }

  private static SortedStore<Object, Object> open(
      StructureContext heap, long reference, int header, Codec<Object> key, Codec<Object> value) {
    Codec<Object> form = OrderedForms.of(key);
    SortedInfo info = SortedInfo.committed(heap, reference, header);
    boolean compared = info.compared() || form == null;
    var types =
        new SortedTypes<>(
            key,
            compared || form == null ? key : form,
            value,
            compared ? UNKNOWN : null,
            KeyOrder.NATURAL,
            null);
    return new SortedStore<>(heap, reference, info, types);
  }

  /** An entry that was not decoded. */
  private record Raw(Encoded key, Encoded value) {}

  /** A leaf as it was when the listing began. */
  private record Leaf(long node, long header) {}

  private static Stream<Leaf> leaves(SortedStore<Object, Object> store) {
    SortedTree tree = store.tree();
    List<Leaf> leaves =
        tree.read(
            guard -> {
              List<Leaf> all = new ArrayList<>();
              SortedPath path = new SortedPath();
              boolean more = tree.seek(null, true, false, path, guard);
              while (more) {
                long node = path.leaf();
                all.add(new Leaf(node, tree.memory().getLong(node)));
                more = tree.nextLeaf(false, path, guard);
              }
              return all;
            });
    return leaves.stream();
  }

  private static List<Raw> read(SortedStore<Object, Object> store, Leaf leaf) {
    SortedTree tree = store.tree();
    return tree.read(
        guard -> {
          guard.add(SortedLayout.stripe(leaf.node));
          if (tree.memory().getLong(leaf.node) != leaf.header) {
            guard.check();
            throw new ConcurrentModificationException("the map changed while it was listed");
          }
          List<Raw> all = new ArrayList<>();
          int count = tree.nodes().count(leaf.node);
          for (int i = 0; i < count; i++) {
            int place = tree.nodes().place(leaf.node, i);
            all.add(
                new Raw(
                    tree.entries().key(leaf.node, place, guard),
                    tree.entries().value(leaf.node, place, guard)));
          }
          return all;
        });
  }

  private static Map.Entry<Object, Object> decode(SortedStore<Object, Object> store, Raw entry) {
    return new SimpleImmutableEntry<>(store.decodeKey(entry.key), store.decodeValue(entry.value));
  }
}
