package io.everheap;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecRegistry;
import io.everheap.codec.Codecs;
import io.everheap.codec.DescribedCodecs;
import io.everheap.collection.Definition;
import io.everheap.collection.DurableMap;
import io.everheap.collection.MapDefinition;
import io.everheap.collection.StructureKind;
import io.everheap.collection.StructureKinds;
import io.everheap.engine.Engine;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.SchemaMismatchException;
import io.everheap.error.StaleReferenceException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The roots by name and the types by number, themselves two durable maps whose references stand in
 * the catalog words of the heap. It holds no state outside the heap, so a rollback needs no care.
 */
final class Catalog {
  /** Catalog word with the reference of the map from root names to references. */
  static final int ROOTS_WORD = 0;

  /** Catalog word with the reference of the map from type names to numbers. */
  static final int TYPES_WORD = 1;

  private static final MapDefinition<String, Long> NAMES =
      new MapDefinition<>(Codecs.STRING, Codecs.LONG);

  private final Engine engine;
  private final Transactions transactions;

  Catalog(Engine engine) {
    this.engine = engine;
    this.transactions = engine.transactions();
  }

  /** The map of roots; empty in a heap that never had one. */
  Optional<DurableMap<String, Long>> roots() {
    return existing(ROOTS_WORD);
  }

  /** The structure with this name, made if there is none. */
  <S> S root(String name, Definition<S> wanted) {
    wanted.codecs().forEach(CodecRegistry::requireName);
    return copy(name, wanted);
  }

  /** The same with codecs that go by the names of others: for tools that copy bytes. */
  <S> S copy(String name, Definition<S> wanted) {
    S found = find(name, wanted);
    if (found != null) {
      return found;
    }
    transactions.begin();
    boolean ok = false;
    try {
      S structure = find(name, wanted);
      if (structure == null) {
        long ref = wanted.create(engine, numbers(wanted.types()));
        made(ROOTS_WORD).put(name, ref);
        structure = wanted.attach(engine, ref);
      }
      ok = true;
      return structure;
    } finally {
      transactions.end(ok);
    }
  }

  private long[] numbers(List<String> types) {
    return types.stream().mapToLong(this::typeId).toArray();
  }

  private <S> @Nullable S find(String name, Definition<S> wanted) {
    Long ref = reference(name).orElse(null);
    if (ref == null) {
      return null;
    }
    try {
      requireTypes(name, header(ref), wanted);
      return wanted.attach(engine, ref);
    } catch (StaleReferenceException e) {
      if (transactions.isWriter()) {
        throw e;
      }
      return null; // removed a moment ago: look again inside a transaction
    }
  }

  /** What a structure's header says of it. */
  private record Header(StructureKind kind, List<Long> types) {}

  private Header header(long ref) {
    transactions.beginExclusiveRead();
    try {
      StructureKind kind = StructureKinds.of(engine, ref);
      return new Header(kind, Arrays.stream(kind.types(engine, ref)).boxed().toList());
    } finally {
      transactions.endExclusiveRead();
    }
  }

  private void requireTypes(String root, Header stored, Definition<?> wanted) {
    StructureKind kind = wanted.kind();
    if (!stored.kind.equals(kind)) {
      throw new SchemaMismatchException(root, "kind", stored.kind.name(), kind.name());
    }
    for (int i = 0; i < stored.types.size(); i++) {
      String name = typeName(stored.types.get(i));
      if (!wanted.types().get(i).equals(name)) {
        String part = kind.parts().get(i).name();
        throw new SchemaMismatchException(root, part, name, wanted.types().get(i));
      }
    }
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
    Header header;
    long size;
    try {
      header = header(ref);
      size = header.kind.size(engine, ref);
    } catch (StaleReferenceException e) {
      if (reference(name).filter(now -> now == ref).isPresent()) {
        throw e;
      }
      return; // removed since
    }
    Map<String, String> types = new LinkedHashMap<>();
    for (int i = 0; i < header.types.size(); i++) {
      types.put(header.kind.parts().get(i).name(), typeName(header.types.get(i)));
    }
    all.add(new Root(name, header.kind.name(), types, size));
  }

  /** What the root with this name holds, as its stored types describe it. */
  Optional<Stream<Map.Entry<Object, Object>>> entries(String name) {
    return reference(name)
        .map(
            ref -> {
              Header header = header(ref);
              List<Codec<Object>> codecs = new ArrayList<>();
              for (int i = 0; i < header.types.size(); i++) {
                if (header.kind.parts().get(i).codec()) {
                  codecs.add(DescribedCodecs.of(typeName(header.types.get(i))));
                }
              }
              return header.kind.entries(engine, ref, codecs);
            });
  }

  boolean remove(String name) {
    transactions.begin();
    boolean ok = false;
    try {
      Long ref = roots().map(all -> all.remove(name)).orElse(null);
      if (ref != null) {
        StructureKinds.of(engine, ref).destroy(engine, ref);
      }
      ok = true;
      return ref != null;
    } finally {
      transactions.end(ok);
    }
  }

  /** Reference of a root. */
  Optional<Long> reference(String name) {
    return roots().map(all -> all.get(name));
  }

  /** The name of the type with this number. */
  String typeName(long id) {
    return existing(TYPES_WORD).stream()
        .flatMap(types -> types.entrySet().stream())
        .filter(e -> e.getValue() == id)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse("unknown type " + id);
  }

  private long typeId(String name) {
    DurableMap<String, Long> types = made(TYPES_WORD);
    Long id = types.get(name);
    if (id == null) {
      id = types.size() + 1L; // types are never removed
      types.put(name, id);
    }
    return id;
  }

  private DurableMap<String, Long> made(int word) {
    Optional<DurableMap<String, Long>> map = existing(word);
    if (map.isPresent()) {
      return map.get();
    }
    long ref = NAMES.create(engine, new long[] {0, 0}); // the types of types have no numbers
    engine.memory().putLong(Stripes.NONE, engine.catalog(word), ref);
    return NAMES.attach(engine, ref);
  }

  private Optional<DurableMap<String, Long>> existing(int word) {
    long ref = engine.memory().getLong(engine.catalog(word));
    return ref == 0 ? Optional.empty() : Optional.of(NAMES.attach(engine, ref));
  }
}
