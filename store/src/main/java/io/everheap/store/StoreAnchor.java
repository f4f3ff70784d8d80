package io.everheap.store;

import io.everheap.HeapAnchor;
import io.everheap.error.CorruptException;
import io.everheap.stability.Stable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A place in the history of a store, to be kept elsewhere: an opening that is given it refuses a
 * store of which a shard is older ({@code ShardedStoreBuilder.notOlderThan}). The files of an
 * earlier moment, all put back together, can be told from the present ones in no other way. Its
 * text, one line, contains no secret.
 *
 * @param store id of the store
 * @param shards an anchor of each shard, by number
 * @since 0.9
 */
@Stable
public record StoreAnchor(UUID store, List<HeapAnchor> shards) {
  /** Copies the list. */
  public StoreAnchor {
    Objects.requireNonNull(store, "store");
    shards = List.copyOf(shards);
  }

  /**
   * Reads the text that {@link #toString} returned.
   *
   * @throws IllegalArgumentException if it is no anchor of a store
   */
  public static StoreAnchor parse(String text) {
    String[] parts = text.split(" ", -1);
    try {
      return new StoreAnchor(
          UUID.fromString(parts[0]), Arrays.stream(parts).skip(1).map(HeapAnchor::parse).toList());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("not an anchor of a store: " + text, e);
    }
  }

  /** Refuses another store. */
  void requireStore(UUID found, String location) {
    if (!found.equals(store)) {
      throw CorruptException.heap(
          "The store in "
              + location
              + " is "
              + found
              + ", and its anchor is that of "
              + store
              + ". Nothing was changed.");
    }
  }

  @Override
  public String toString() {
    return Stream.concat(Stream.of(store.toString()), shards.stream().map(HeapAnchor::toString))
        .collect(Collectors.joining(" "));
  }
}
