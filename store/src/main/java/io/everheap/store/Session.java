package io.everheap.store;

import io.everheap.HeapAnchor;
import io.everheap.error.CorruptHeapException;
import io.everheap.memory.Medium;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Binds the shards of a store to each other and to the file {@code store}. A session ends when the
 * store is opened for writing or closed, and when the placement of keys changes. So files of an
 * earlier session do not fit to the others: somebody who puts one shard back to an earlier close is
 * noticed at the next opening. All shards move to the next session together:
 *
 * <ol>
 *   <li>The file announces the next session.
 *   <li>Each shard stores, durably, that it is getting this session.
 *   <li>The file has the next session, with an anchor of each shard, and the new placement if there
 *       is one. This decides.
 *   <li>Each shard stores that it has the session, before anything else, but without waiting.
 * </ol>
 *
 * Each step is durable before the next one begins, except that a crash can lose step 4. Before step
 * 3 a shard may have the old session or be getting the next one; a shard that has the next one
 * already is of another moment. In the steps 1 to 3 no program writes to the store.
 *
 * @param id random; null for whichever the shards have, if it is the same one, as after a restore
 * @param next the id of the session that the shards are getting; null if there is none
 * @param anchors of the first shards, at the begin of the session: none ends before its anchor
 */
record Session(@Nullable UUID id, @Nullable UUID next, List<HeapAnchor> anchors) {
  /** A session that takes the shards as they are, if all of them have the same one. */
  static final Session ANY = new Session(null, null, List.of());

  /** Copies the list. */
  Session {
    anchors = List.copyOf(anchors);
  }

  /** The anchors, with a line feed after each. */
  byte[] lines() {
    StringBuilder lines = new StringBuilder();
    anchors.forEach(anchor -> lines.append(anchor).append('\n'));
    return lines.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Refuses shards that are not of this session, or end before its begin.
   *
   * @param shards those that hold keys
   */
  void require(List<Shard> shards) {
    UUID present = id == null ? ShardIdentity.of(shards.getFirst()).session() : id;
    for (Shard shard : shards) {
      boolean isOfSession = isOfSession(ShardIdentity.of(shard), present);
      if (!isOfSession || isBeforeAnchor(shard)) {
        throw new CorruptHeapException(
            shard.heap.stats().location()
                + " is of another moment than the rest of its store: the files of one of them were"
                + " put back, or lost. Put all files of one moment back, or restore a backup of the"
                + " store. To open the store with shards of different moments, call"
                + " ShardedStoreBuilder.acceptMixedShards.");
      }
    }
  }

  private boolean isOfSession(ShardIdentity shard, @Nullable UUID present) {
    boolean has = Objects.equals(shard.session(), present);
    UUID getting = shard.next();
    if (getting == null) {
      return has;
    }
    if (next == null) { // nothing follows: it was getting this session, and a crash lost step 4
      return getting.equals(present);
    }
    return has || getting.equals(present) || getting.equals(next);
  }

  private boolean isBeforeAnchor(Shard shard) {
    if (shard.index >= anchors.size()) {
      return false;
    }
    HeapAnchor anchor = anchors.get(shard.index);
    HeapAnchor found = HeapAnchor.of(shard.heap);
    return !found.history().equals(anchor.history()) || found.lsn() < anchor.lsn();
  }

  /**
   * Moves a store to its next session.
   *
   * @param medium of its directory
   * @param from the file as it is
   * @param placement as of the next session
   * @param shards all that are open; no other thread writes to them
   * @param renewed called when the file has changed
   */
  static void renew(
      Medium medium,
      Descriptor from,
      Placement placement,
      List<Shard> shards,
      Consumer<Descriptor> renewed) {
    Session old = from.session();
    if (old == null) { // version 1
      Descriptor changed = from.with(placement, null);
      if (!changed.equals(from)) {
        changed.write(medium);
        renewed.accept(changed);
      }
      return;
    }
    UUID next = UUID.randomUUID();
    new Descriptor(
            from.id(),
            from.shards(),
            from.target(),
            from.creating(),
            new Session(old.id(), next, old.anchors()))
        .write(medium);
    shards.forEach(shard -> ShardIdentity.announce(shard, next));
    List<HeapAnchor> anchors =
        shards.stream().limit(placement.shards()).map(shard -> HeapAnchor.of(shard.heap)).toList();
    Descriptor changed = from.with(placement, new Session(next, null, anchors));
    changed.write(medium);
    renewed.accept(changed);
    shards.forEach(shard -> ShardIdentity.enter(shard, next));
  }
}
