package io.everheap.store;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.error.CorruptHeapException;
import io.everheap.error.ForeignHeapException;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The root of each shard that says which shard of which store it is, and of which {@link Session}.
 *
 * @param shard id of the store and number of the shard
 * @param session that the shard has; null if it has none
 * @param next session that it was getting last; null if it got that
 */
record ShardIdentity(String shard, @Nullable UUID session, @Nullable UUID next) {
  private static final String ROOT = "everheap.store";
  private static final String SHARD = "shard";
  private static final String SESSION = "session";
  private static final String NEXT = "next session";

  static ShardIdentity of(Shard shard) {
    Map<String, String> entries = entries(shard.heap);
    String text = entries.get(SHARD);
    String location = shard.heap.stats().location();
    if (text == null) {
      throw new CorruptHeapException(location + " does not say which shard it is");
    }
    try {
      return new ShardIdentity(text, uuid(entries.get(SESSION)), uuid(entries.get(NEXT)));
    } catch (IllegalArgumentException e) {
      throw new CorruptHeapException(
          location + " does not say of which session it is: " + e.getMessage());
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
        throw new ForeignHeapException(
            heap.stats().location(), "a shard of this store", "it is another heap; move it away");
      }
      store(shard, Durability.SYNC, Map.of(SHARD, wanted));
      return;
    }
    String found = of(shard).shard();
    if (!found.equals(wanted)) {
      throw new ForeignHeapException(
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

  /** Stores that a shard is getting a session; durable on return. */
  static void announce(Shard shard, UUID next) {
    store(shard, Durability.SYNC, Map.of(NEXT, next.toString()));
  }

  /** Stores that a shard has a session, before all that is committed later. */
  static void enter(Shard shard, UUID session) {
    shard.commit(
        () -> {
          shard.heap.transact(
              () -> {
                entries(shard.heap).set(SESSION, session.toString());
                entries(shard.heap).delete(NEXT);
              });
          return true;
        });
  }

  private static void store(Shard shard, Durability durability, Map<String, String> entries) {
    shard.heap.transact(durability, () -> entries(shard.heap).putAll(entries));
  }
}
