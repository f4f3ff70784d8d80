package io.everheap.store;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.error.CorruptException;
import io.everheap.error.ForeignException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The root of each shard that says which shard of which store it is, and of which {@link Session}.
 *
 * @param shard id of the store and number of the shard
 * @param session that the shard has; null if none
 * @param next session that is announced; null if none
 */
record ShardIdentity(String shard, @Nullable UUID session, @Nullable UUID next) {
  private static final String ROOT = "everheap.store";
  private static final String SHARD = "shard";
  private static final String SESSION = "session";
  private static final String NEXT = "next session";

  /** Reads the identity from the heap of a shard. */
  static ShardIdentity of(Heap heap) {
    Map<String, String> entries = entries(heap);
    String text = entries.get(SHARD);
    if (text == null) {
      throw CorruptException.heap(heap.stats().location() + " does not say which shard it is");
    }
    try {
      return new ShardIdentity(text, uuid(entries.get(SESSION)), uuid(entries.get(NEXT)));
    } catch (IllegalArgumentException e) {
      throw CorruptException.heap(
          heap.stats().location() + " does not say of which session it is: " + e.getMessage());
    }
  }

  private static @Nullable UUID uuid(@Nullable String text) {
    return text == null ? null : UUID.fromString(text);
  }

  private static DurableMap<String, String> entries(Heap heap) {
    return heap.map(ROOT, String.class, String.class);
  }

  /**
   * Refuses a heap that is another shard, or none.
   *
   * @param mayCreate whether a heap without roots becomes the shard
   */
  static void require(Shard shard, UUID store, boolean mayCreate) {
    Heap heap = shard.heap;
    String wanted = store + "#" + shard.index;
    if (!heap.contains(ROOT)) {
      if (!mayCreate || !heap.names().isEmpty()) {
        throw ForeignException.of(
            heap.stats().location(), "a shard of this store", "it is another heap; move it away");
      }
      heap.transact(Durability.SYNC, () -> entries(heap).set(SHARD, wanted));
      return;
    }
    String found = of(heap).shard();
    if (!found.equals(wanted)) {
      throw ForeignException.of(
          heap.stats().location(),
          "the shard " + wanted,
          "it is " + found + "; directories were mixed up");
    }
  }

  /** Removes everything that a shard held before it was unused; durable on return. */
  static void empty(Shard shard) {
    for (String name : shard.heap.names()) {
      if (!name.equals(ROOT)) {
        shard.heap.remove(name);
      }
    }
    shard.heap.sync();
  }

  /** Whether a shard belongs to a session; null for none. */
  boolean isOf(@Nullable UUID id) {
    return Objects.equals(session, id) || (id != null && id.equals(next));
  }

  /** The session that all shards belong to; null for none, or if they belong to several. */
  static @Nullable UUID common(List<ShardIdentity> shards) {
    ShardIdentity first = shards.getFirst();
    return Stream.of(first.session, first.next)
        .filter(Objects::nonNull)
        .filter(id -> shards.stream().allMatch(shard -> shard.isOf(id)))
        .findFirst()
        .orElse(null);
  }

  /** Stores the present session and announces another one; durable with the next sync. */
  static void announce(Shard shard, @Nullable UUID present, UUID next) {
    store(shard, present, next);
  }

  /** Stores that a shard has a session, before all that is committed later. */
  static void enter(Shard shard, @Nullable UUID session) {
    store(shard, session, null);
  }

  private static void store(Shard shard, @Nullable UUID session, @Nullable UUID next) {
    shard.commit(
        () -> {
          shard.heap.transact(
              () -> {
                store(shard.heap, SESSION, session);
                store(shard.heap, NEXT, next);
              });
          return true;
        });
  }

  private static void store(Heap heap, String name, @Nullable UUID id) {
    if (id == null) {
      entries(heap).delete(name);
    } else {
      entries(heap).set(name, id.toString());
    }
  }
}
