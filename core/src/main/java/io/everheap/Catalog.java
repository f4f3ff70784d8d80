package io.everheap;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecRegistry;
import io.everheap.codec.Codecs;
import io.everheap.codec.DescribedCodecs;
import io.everheap.collection.DurableMap;
import io.everheap.collection.MapType;
import io.everheap.engine.Engine;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptHeapException;
import io.everheap.error.SchemaMismatchException;
import io.everheap.error.StaleReferenceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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

  private static final MapType BOOTSTRAP = new MapType(0, 0);

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

  <K, V> DurableMap<K, V> map(String name, Codec<K> key, Codec<V> value) {
    CodecRegistry.requireName(key);
    CodecRegistry.requireName(value);
    return copy(name, key, value);
  }

  /** The same with codecs that go by the names of others: for tools that copy bytes. */
  <K, V> DurableMap<K, V> copy(String name, Codec<K> key, Codec<V> value) {
    DurableMap<K, V> found = find(name, key, value);
    if (found != null) {
      return found;
    }
    transactions.begin();
    boolean ok = false;
    try {
      DurableMap<K, V> map = find(name, key, value);
      if (map == null) {
        MapType type = new MapType(typeId(key.name()), typeId(value.name()));
        long ref = DurableMap.create(engine, key, value, type);
        made(ROOTS_WORD).put(name, ref);
        map = DurableMap.attach(engine, ref, key, value);
      }
      ok = true;
      return map;
    } finally {
      transactions.end(ok);
    }
  }

  private <K, V> @Nullable DurableMap<K, V> find(String name, Codec<K> key, Codec<V> value) {
    Long ref = reference(name).orElse(null);
    if (ref == null) {
      return null;
    }
    try {
      MapType types = DurableMap.typeOf(engine, ref);
      requireType(name, "key", types.key(), key);
      requireType(name, "value", types.value(), value);
      return attach(name, ref, key, value);
    } catch (StaleReferenceException e) {
      if (transactions.isWriter()) {
        throw e;
      }
      return null; // removed a moment ago: look again inside a transaction
    }
  }

  private void requireType(String root, String part, long stored, Codec<?> wanted) {
    String name = typeName(stored);
    if (!wanted.name().equals(name)) {
      throw new SchemaMismatchException(root, part, name, wanted.name());
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
    MapType type;
    long size;
    try {
      type = DurableMap.typeOf(engine, ref);
      size = DurableMap.sizeOf(engine, ref);
    } catch (StaleReferenceException e) {
      if (reference(name).filter(now -> now == ref).isPresent()) {
        throw e;
      }
      return; // removed since
    }
    all.add(new Root(name, typeName(type.key()), typeName(type.value()), size));
  }

  /** The map with this name as its stored types describe it. */
  Optional<DurableMap<Object, Object>> described(String name) {
    return reference(name)
        .map(
            ref -> {
              MapType type = DurableMap.typeOf(engine, ref);
              return DurableMap.attach(
                  engine,
                  ref,
                  DescribedCodecs.of(typeName(type.key())),
                  DescribedCodecs.of(typeName(type.value())));
            });
  }

  boolean remove(String name) {
    transactions.begin();
    boolean ok = false;
    try {
      Long ref = roots().map(all -> all.remove(name)).orElse(null);
      if (ref != null) {
        DurableMap.destroy(engine, ref);
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
    long ref = DurableMap.create(engine, Codecs.STRING, Codecs.LONG, BOOTSTRAP);
    engine.memory().putLong(Stripes.NONE, engine.catalog(word), ref);
    return DurableMap.attach(engine, ref, Codecs.STRING, Codecs.LONG);
  }

  private Optional<DurableMap<String, Long>> existing(int word) {
    long ref = engine.memory().getLong(engine.catalog(word));
    return ref == 0
        ? Optional.empty()
        : Optional.of(attach("of catalog word " + word, ref, Codecs.STRING, Codecs.LONG));
  }

  /** The map behind a reference from the heap, whose types are known to be these. */
  private <K, V> DurableMap<K, V> attach(String name, long ref, Codec<K> key, Codec<V> value) {
    if (!key.canonical()) {
      throw new IllegalArgumentException("the codec " + key.name() + " cannot encode keys");
    }
    try {
      return DurableMap.attach(engine, ref, key, value);
    } catch (IllegalArgumentException e) {
      throw new CorruptHeapException(
          "The map " + name + " of " + engine.location() + " is damaged: " + e.getMessage());
    }
  }
}
