package io.everheap.structure.map;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableMap;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.HeapCopy;
import io.everheap.engine.alloc.Reference;
import io.everheap.memory.Media;
import io.everheap.memory.Medium;
import io.everheap.memory.MemoryMedium;
import io.everheap.structure.Structures;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.structure.common.MapHash;
import io.everheap.structure.common.PendingFreesCheck;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.StructureKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An engine with maps in it. {@link #check} verifies them all and that every allocated block
 * belongs to one of them; closing checks first.
 */
public final class MapHeap implements AutoCloseable {
  /** Every bit of the hash. */
  public static final long GOOD_HASH = MapHash.ALL_BITS;

  private static final int ROOT = 2;

  private final Engine engine;
  private final StructureContext heap;
  private final @Nullable Path temporary; // deleted when the heap is closed
  private final Map<Long, Long> hashMasks = new LinkedHashMap<>(); // by map reference
  private final Map<Long, Definition<?>> others = new LinkedHashMap<>(); // by reference

  private MapHeap(Medium medium, EngineOptions options, @Nullable Path temporary) {
    this.engine = Engine.open(medium, options);
    this.heap = Structures.of(engine.context());
    this.temporary = temporary;
  }

  public static MapHeap inMemory() {
    return inMemory(1L << 32);
  }

  /**
   * A heap that does not grow beyond {@code maxCapacity} bytes. It is in a directory of its own if
   * the property {@code everheap.test.directory} names one: on persistent memory, for example.
   */
  public static MapHeap inMemory(long maxCapacity) {
    String directory = System.getProperty("everheap.test.directory");
    return directory == null
        ? new MapHeap(new MemoryMedium(), options(maxCapacity), null)
        : temporary(Path.of(directory), maxCapacity);
  }

  private static MapHeap temporary(Path parent, long maxCapacity) {
    try {
      Path directory = Files.createTempDirectory(parent, "map");
      return new MapHeap(Media.open(directory, false, true), options(maxCapacity), directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static MapHeap inFiles(Path directory) {
    return new MapHeap(Media.open(directory, false, true), options(1L << 32), null);
  }

  private static EngineOptions options(long maxCapacity) {
    return new EngineOptions(
        maxCapacity,
        26,
        64 << 20,
        1 << 20,
        1 << 20,
        1L << 30,
        256L << 20,
        60_000_000_000L,
        true,
        0,
        false);
  }

  /**
   * What a killed process leaves behind: the files as they are while the heap is open. Opened as a
   * heap of its own.
   */
  public static MapHeap afterKill(Path directory, Path copy) {
    HeapCopy.killed(directory, copy);
    return inFiles(copy);
  }

  public Engine engine() {
    return engine;
  }

  /** The heap as structures see it. */
  public StructureContext context() {
    return heap;
  }

  public <K, V> DurableMap<K, V> map(Codec<K> keys, Codec<V> values) {
    return map(keys, values, GOOD_HASH);
  }

  /** Makes a map whose hash function yields only the bits in the mask. */
  public <K, V> DurableMap<K, V> map(Codec<K> keys, Codec<V> values, long hashMask) {
    long reference = HashKind.mapOf(keys, values).create(heap, new long[2]);
    hashMasks.put(reference, hashMask);
    return MapHandle.attach(heap, reference, keys, values, hashMask);
  }

  /** Makes a map that {@link #root} finds again after a reopen. */
  public <K, V> DurableMap<K, V> rootMap(Codec<K> keys, Codec<V> values) {
    var tx = engine.transactions();
    tx.begin();
    DurableMap<K, V> map = map(keys, values);
    engine.memory().putLong(-1, heap.catalog(ROOT), HeapStructureId.of(map).reference());
    tx.end(true);
    return map;
  }

  /**
   * The map that was made with {@link #rootMap} in this heap or the one that it was copied from.
   */
  public <K, V> DurableMap<K, V> root(Codec<K> keys, Codec<V> values) {
    long reference = engine.memory().getLong(heap.catalog(ROOT));
    assertThat(reference).isNotEqualTo(Reference.NULL);
    hashMasks.put(reference, GOOD_HASH);
    return MapHandle.attach(heap, reference, keys, values);
  }

  /** Makes a structure that is no hash map, and which {@link #root} finds again after a reopen. */
  public <S> S make(Definition<S> definition) {
    var tx = engine.transactions();
    tx.begin();
    long reference = definition.create(heap, new long[definition.types().size()]);
    engine.memory().putLong(-1, heap.catalog(ROOT), reference);
    tx.end(true);
    return attach(definition, reference);
  }

  /** The structure that {@link #make} made last, in this heap or the one it was copied from. */
  public <S> S root(Definition<S> definition) {
    return attach(definition, engine.memory().getLong(heap.catalog(ROOT)));
  }

  private <S> S attach(Definition<S> definition, long reference) {
    others.put(reference, definition);
    return definition.attach(heap, reference);
  }

  public void destroy(StructureKind kind, long reference) {
    kind.destroy(heap, reference);
    others.remove(reference);
  }

  public void destroy(DurableMap<?, ?> map) {
    HashKind.MAP.destroy(heap, HeapStructureId.of(map).reference());
    hashMasks.remove(HeapStructureId.of(map).reference());
  }

  /** Runs {@code body} as one transaction, which commits if the body says so. */
  public void transact(BooleanSupplier body) {
    boolean ok = false;
    engine.transactions().begin();
    try {
      ok = body.getAsBoolean();
    } finally {
      engine.transactions().end(ok);
    }
  }

  /** What is wrong with the maps, pending frees included. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    List<Long> owned = new ArrayList<>();
    Set<Long> seen = new HashSet<>();
    StructureFindings findings =
        new StructureFindings() {
          @Override
          public void problem(String kind, long at, @Nullable String key, String message) {
            problems.add(kind + " at " + at + " key " + key + ": " + message);
          }

          @Override
          public boolean owned(long reference) {
            owned.add(reference);
            return seen.add(reference);
          }
        };
    MapVerifier verifier = new MapVerifier(heap, findings);
    hashMasks.forEach((reference, mask) -> verifier.verify(reference, mask, null, null));
    others.forEach(
        (reference, definition) ->
            definition.kind().verify(heap, reference, List.copyOf(definition.codecs()), findings));
    new PendingFreesCheck(heap, Structures.freers(), findings).run();
    Set<Long> distinct = new HashSet<>(owned);
    if (distinct.size() != owned.size()) {
      problems.add((owned.size() - distinct.size()) + " blocks have two owners");
    }
    for (long reference : owned) {
      try {
        engine.allocator().check(reference);
      } catch (RuntimeException e) {
        problems.add(e.getMessage());
      }
    }
    long allocated = allocated();
    if (allocated != distinct.size()) {
      problems.add(allocated + " blocks are allocated, " + distinct.size() + " are owned");
    }
    return problems;
  }

  public long allocated() {
    return engine.allocator().stats().blocks();
  }

  public void check() {
    assertThat(problems()).isEmpty();
  }

  @Override
  public void close() {
    check();
    engine.drainHousekeeping();
    check();
    closeUnchecked();
  }

  /** Closes without a look at the maps, whose damage is the point of the test. */
  public void closeUnchecked() {
    engine.close();
    if (temporary != null) {
      delete(temporary);
    }
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
