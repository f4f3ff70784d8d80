package io.everheap.structure.sorted;

import io.everheap.codec.Codec;
import io.everheap.codec.ordered.OrderedForms;
import io.everheap.collection.KeyOrder;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.StructureContext;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
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
    SortedStore<Object, Object> store = new SortedStore<>(heap, reference, info, types);
    return compared
        ? leaves(store).flatMap(leaf -> read(store, leaf))
        : new SortedMapHandle<>(store)
            .entrySet().stream()
                .map(entry -> new SimpleImmutableEntry<>(entry.getKey(), entry.getValue()));
  }

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

  private static Stream<Map.Entry<Object, Object>> read(
      SortedStore<Object, Object> store, Leaf leaf) {
    SortedTree tree = store.tree();
    List<Encoded> parts =
        tree.read(
            guard -> {
              guard.add(SortedLayout.stripe(leaf.node));
              if (tree.memory().getLong(leaf.node) != leaf.header) {
                guard.check();
                throw new ConcurrentModificationException("the map changed while it was listed");
              }
              List<Encoded> all = new ArrayList<>();
              int count = tree.nodes().count(leaf.node);
              for (int i = 0; i < count; i++) {
                int place = tree.nodes().place(leaf.node, i);
                all.add(tree.entries().key(leaf.node, place, guard));
                all.add(tree.entries().value(leaf.node, place, guard));
              }
              return all;
            });
    List<Map.Entry<Object, Object>> entries = new ArrayList<>();
    for (int i = 0; i < parts.size(); i += 2) {
      entries.add(
          new SimpleImmutableEntry<>(
              store.decodeKey(parts.get(i)), store.decodeValue(parts.get(i + 1))));
    }
    return entries.stream();
  }
}
