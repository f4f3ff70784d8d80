package io.everheap;

import io.everheap.check.SpaceWalk;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.collection.Shape;
import io.everheap.collection.Structure;
import io.everheap.collection.Undecodable;
import io.everheap.durable.bind.ObjectSpace;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.GoneException;
import io.everheap.error.SchemaMismatchException;
import io.everheap.report.Footprint;
import io.everheap.structure.common.Binding;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.structure.common.NestedCodec;
import io.everheap.structure.common.NestedReferences;
import io.everheap.structure.common.Shapes;
import io.everheap.structure.common.StoredStructure;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureKind;
import io.everheap.structure.common.StructureTypes;
import io.everheap.structure.map.MapHandle;
import io.everheap.structure.names.NameTables;
import io.everheap.structure.names.TypeTable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The roots by name and the types by number. Both are durable maps, whose references are in the
 * catalog words of the home image. The only state outside of the heap is the {@link RootIndex},
 * which is used inside transactions only and takes rollbacks into account.
 *
 * <p>Safe for use by many threads.
 */
final class Catalog {
  private final StructureContext heap;
  private final Transactions transactions;
  private final TypeTable types;
  private final Binding binding;
  private final RootIndex index;

  Catalog(StructureContext heap) {
    this.heap = heap;
    this.transactions = heap.transactions();
    this.types = new TypeTable(heap);
    this.binding = new Binding(heap, types);
    this.index = new RootIndex(transactions, this::roots, this::soundRoots);
  }

  /** The types of the heap. */
  TypeTable types() {
    return types;
  }

  /** The map of roots; empty in a heap that never had a root. */
  private Optional<MapHandle<String, Long>> roots() {
    return TypeTable.names(heap, NameTables.ROOTS_WORD);
  }

  /** The definition of the structure that a shape describes. */
  <S> Definition<S> define(Shape<S> shape, CodecRegistry codecs) {
    return Shapes.define(heap.kinds(), shape, codecs);
  }

  /** The structure with this name; created, in a transaction, if there is none. */
  <S> S root(String name, Definition<S> wanted) {
    NestedCodec.requireNames(wanted);
    S found = find(name, wanted);
    if (found != null) {
      return found;
    }
    return transactions.call(
        () -> {
          S structure = find(name, wanted);
          if (structure == null) {
            long ref = make(wanted);
            name(name, ref);
            structure = wanted.attach(heap, ref);
          }
          return structure;
        });
  }

  /** Creates a structure without a name, in the running transaction. */
  <S> S create(Definition<S> wanted) {
    NestedCodec.requireNames(wanted);
    heap.memory().requireWriter();
    return wanted.attach(heap, make(wanted));
  }

  /**
   * Creates a structure in the running transaction and returns its reference. Unlike {@link
   * #create}, it does not check the names of types.
   */
  long make(Definition<?> wanted) {
    return wanted.create(heap, numbers(wanted.types()));
  }

  /** Gives a structure a name, in the running transaction. */
  void name(String name, long ref) {
    index.changing(name);
    TypeTable.makeNames(heap, NameTables.ROOTS_WORD).put(name, ref);
  }

  private long[] numbers(List<String> names) {
    return names.stream().mapToLong(types::number).toArray();
  }

  private <S> @Nullable S find(String name, Definition<S> wanted) {
    Long ref = reference(name).orElse(null);
    if (ref == null) {
      return null;
    }
    heap.memory().requireSound(Reference.address(ref), Long.BYTES);
    try {
      return bind(name, ref, wanted).attach(heap, ref);
    } catch (GoneException e) {
      requireRemoved(name, ref, e);
      return null; // the caller looks again inside a transaction
    }
  }

  /** Checks that a root was removed since it was found: damage may also hide its structure. */
  private void requireRemoved(String name, long ref, GoneException e) {
    if (reference(name).filter(now -> now == ref).isPresent()) {
      throw Damage.at(
          Reference.address(ref), "the root " + name + " leads to nothing: " + e.getMessage());
    }
  }

  private <S> Definition<S> bind(String root, long ref, Definition<S> wanted) {
    StructureTypes stored = StructureTypes.of(heap, ref);
    StructureKind kind = wanted.kind();
    if (!stored.kind().equals(kind)) {
      throw new SchemaMismatchException(root, "kind", stored.kind().name(), kind.name());
    }
    return binding.bind(root, ref, wanted, stored.numbers());
  }

  Set<String> names() {
    return soundRoots().map(all -> new TreeSet<>(all.keySet())).orElseGet(TreeSet::new);
  }

  /** The map of roots after all its pages were compared with their checksums. */
  private Optional<MapHandle<String, Long>> soundRoots() {
    Optional<MapHandle<String, Long>> roots = roots();
    roots.ifPresent(MapHandle::requireSound);
    return roots;
  }

  List<Root> describe() {
    List<Root> all = new ArrayList<>();
    for (String name : names()) {
      reference(name).ifPresent(ref -> describe(name, ref, all));
    }
    return all;
  }

  private void describe(String name, long ref, List<Root> all) {
    StructureTypes header;
    long size;
    try {
      header = StructureTypes.of(heap, ref);
      size = header.kind().size(heap, ref);
    } catch (GoneException e) {
      requireRemoved(name, ref, e);
      return;
    }
    Map<String, String> named = new LinkedHashMap<>();
    for (int i = 0; i < header.numbers().size(); i++) {
      named.put(header.kind().parts().get(i).name(), types.name(header.numbers().get(i)));
    }
    all.add(new Root(name, header.kind().name(), named, size));
  }

  /** The entries of the root with this name, decoded by its stored types. */
  Optional<Stream<Map.Entry<Object, Object>>> entries(String name) {
    return stored(name, StoredStructure::entries);
  }

  /** The entries of the root with this name that its stored types do not decode. */
  Optional<Iterator<Undecodable>> undecodable(String name) {
    return stored(name, StoredStructure::undecodable);
  }

  /** Reads a structure by its stored types. */
  private interface StoredReading<T> {
    T read(StructureContext heap, StructureKind kind, List<String> types, long reference);
  }

  private <T> Optional<T> stored(String name, StoredReading<T> reading) {
    return reference(name)
        .map(
            ref -> {
              StructureTypes header = StructureTypes.of(heap, ref);
              List<String> names = header.numbers().stream().map(types::name).toList();
              return reading.read(heap, header.kind(), names, ref);
            });
  }

  /**
   * Removes a root.
   *
   * @param deep whether to free the structures within it as well
   */
  boolean remove(String name, boolean deep) {
    return transactions.call(
        () -> {
          index.changing(name);
          Long ref = reference(name).orElse(null);
          if (ref != null) {
            roots().ifPresent(all -> all.remove(name));
            free(ref, deep);
          }
          return ref != null;
        });
  }

  /**
   * Gives a root another name.
   *
   * @throws IllegalArgumentException if there is no such root, or another one has the name
   */
  void rename(String from, String to) {
    transactions.run(
        () -> {
          Long ref = reference(from).orElse(null);
          if (ref == null) {
            throw new IllegalArgumentException("no root named " + from);
          }
          if (!from.equals(to)) {
            if (reference(to).isPresent()) {
              throw new IllegalArgumentException("another root is named " + to);
            }
            index.changing(from);
            roots().ifPresent(all -> all.remove(from));
            name(to, ref);
          }
        });
  }

  /**
   * Frees a structure that is no root.
   *
   * @param deep whether to free the structures within it as well
   */
  void free(Structure structure, boolean deep) {
    HeapStructureId id = own(structure);
    transactions.run(
        () -> {
          String root = index.nameOf(id.reference());
          if (root != null) {
            throw new IllegalArgumentException("the structure is the root " + root + ": remove it");
          }
          free(id.reference(), deep);
        });
  }

  /**
   * Frees an object, in the running transaction or one of its own.
   *
   * @throws IllegalArgumentException if the object is a root
   */
  void free(ObjectSpace objects, Object object) {
    transactions.run(
        () -> {
          String root = index.nameOf(objects.referenceOf(object));
          if (root != null) {
            throw new IllegalArgumentException("the object is the root " + root + ": remove it");
          }
          objects.free(object);
        });
  }

  /**
   * Measures the space of a root.
   *
   * @throws IllegalArgumentException if there is no such root
   */
  Footprint footprint(String name) {
    LongSupplier reference =
        () ->
            reference(name)
                .orElseThrow(() -> new IllegalArgumentException("no root named " + name));
    long[] measured = new long[1];
    while (true) {
      try {
        return SpaceWalk.measure(heap, () -> measured[0] = reference.getAsLong());
      } catch (GoneException e) {
        requireRemoved(name, measured[0], e); // it was removed since it was found: look again
      }
    }
  }

  /**
   * Measures the space of a structure or object.
   *
   * @throws GoneException if it was freed
   * @throws IllegalArgumentException if it is neither of this heap
   */
  Footprint footprint(ObjectSpace objects, Object handle) {
    return handle instanceof Structure structure
        ? SpaceWalk.measure(heap, own(structure)::reference)
        : SpaceWalk.measure(heap, () -> objects.referenceOf(handle));
  }

  private HeapStructureId own(Structure structure) {
    HeapStructureId id = HeapStructureId.of(structure);
    if (!id.heap().equals(heap)) {
      throw new IllegalArgumentException(
          "a structure of the heap " + id.heap().location() + ", not of " + heap.location());
    }
    return id;
  }

  /** Frees a structure that is not a root any more; nested structures that are roots stay. */
  private void free(long ref, boolean deep) {
    Set<Long> doomed = new LinkedHashSet<>();
    if (deep) {
      new NestedReferences(heap, types)
          .collect(ref, nested -> index.nameOf(nested) != null, doomed);
    }
    heap.kinds().of(heap, ref).destroy(heap, ref);
    for (long nested : doomed) {
      heap.kinds().of(heap, nested).destroy(heap, nested);
    }
  }

  /**
   * The reference of a root.
   *
   * @throws io.everheap.error.CorruptException if damage may hide the root
   */
  Optional<Long> reference(String name) {
    return roots()
        .map(
            all -> {
              all.requireSound(name);
              return all.get(name);
            });
  }
}
