package io.everheap;

import io.everheap.codec.derived.CodecRegistry;
import io.everheap.collection.DurableMap;
import io.everheap.collection.Shape;
import io.everheap.collection.Structure;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.SchemaMismatchException;
import io.everheap.error.StaleReferenceException;
import io.everheap.object.bind.ObjectSpace;
import io.everheap.structure.common.Binding;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.structure.common.NestedCodec;
import io.everheap.structure.common.NestedReferences;
import io.everheap.structure.common.Shapes;
import io.everheap.structure.common.StoredStructure;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureKind;
import io.everheap.structure.common.StructureTypes;
import io.everheap.structure.names.NameTables;
import io.everheap.structure.names.TypeTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The roots by name and the types by number, themselves two durable maps whose references stand in
 * the catalog words of the heap. The only state outside the heap is an index, which handles
 * rollbacks itself.
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
    this.index = new RootIndex(transactions, this::roots);
  }

  /** The types of the heap. */
  TypeTable types() {
    return types;
  }

  /** The map of roots; empty in a heap that never had one. */
  Optional<DurableMap<String, Long>> roots() {
    return TypeTable.names(heap, NameTables.ROOTS_WORD);
  }

  /** What a shape stands for. */
  <S> Definition<S> define(Shape<S> shape, CodecRegistry codecs) {
    return Shapes.define(heap.kinds(), shape, codecs);
  }

  /** The structure with this name, made if there is none. */
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

  /** Makes a structure without a name, in the running transaction. */
  <S> S create(Definition<S> wanted) {
    NestedCodec.requireNames(wanted);
    heap.memory().requireWriter();
    return wanted.attach(heap, make(wanted));
  }

  /** Makes one in the running transaction and returns its reference; any names of types do. */
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
    try {
      return bind(name, ref, wanted).attach(heap, ref);
    } catch (StaleReferenceException e) {
      if (transactions.isWriter()) {
        throw e;
      }
      return null; // removed a moment ago: look again inside a transaction
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
    return roots().map(all -> new TreeSet<>(all.keySet())).orElseGet(TreeSet::new);
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
    } catch (StaleReferenceException e) {
      if (reference(name).filter(now -> now == ref).isPresent()) {
        throw e;
      }
      return; // removed since
    }
    Map<String, String> named = new LinkedHashMap<>();
    for (int i = 0; i < header.numbers().size(); i++) {
      named.put(header.kind().parts().get(i).name(), types.name(header.numbers().get(i)));
    }
    all.add(new Root(name, header.kind().name(), named, size));
  }

  /** What the root with this name holds, as its stored types describe it. */
  Optional<Stream<Map.Entry<Object, Object>>> entries(String name) {
    return reference(name)
        .map(
            ref -> {
              StructureTypes header = StructureTypes.of(heap, ref);
              List<String> names = header.numbers().stream().map(types::name).toList();
              return StoredStructure.entries(heap, header.kind(), names, ref);
            });
  }

  /**
   * Removes a root.
   *
   * @param deep whether the structures that it holds are freed, too
   */
  boolean remove(String name, boolean deep) {
    return transactions.call(
        () -> {
          index.changing(name);
          Long ref = roots().map(all -> all.remove(name)).orElse(null);
          if (ref != null) {
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
   * @param deep whether those that it holds are freed, too
   */
  void free(Structure structure, boolean deep) {
    HeapStructureId id = HeapStructureId.of(structure);
    if (!id.heap().equals(heap)) {
      throw new IllegalArgumentException(
          "a structure of the heap " + id.heap().location() + ", not of " + heap.location());
    }
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
   * Frees an object that is no root, in a transaction of its own if there is none.
   *
   * @throws IllegalArgumentException if it is one
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

  /** Frees what a root or nothing names any more; nested structures that are roots stay. */
  private void free(long ref, boolean deep) {
    Set<Long> doomed = new LinkedHashSet<>();
    if (deep) {
      Set<Long> kept = roots().map(all -> Set.copyOf(all.values())).orElseGet(Set::of);
      new NestedReferences(heap, types).collect(ref, kept, doomed);
    }
    heap.kinds().of(heap, ref).destroy(heap, ref);
    for (long nested : doomed) {
      heap.kinds().of(heap, nested).destroy(heap, nested);
    }
  }

  /** Reference of a root. */
  Optional<Long> reference(String name) {
    return roots().map(all -> all.get(name));
  }
}
