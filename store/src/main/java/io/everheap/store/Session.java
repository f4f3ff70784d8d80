package io.everheap.store;

import io.everheap.HeapAnchor;
import io.everheap.error.CorruptException;
import io.everheap.error.FullException;
import io.everheap.memory.Medium;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Binds the shards of a store to each other and to the file {@code store}. The session changes when
 * the store is opened for writing, when the placement of keys changes, and when the store is
 * closed. A shard that somebody puts back to an earlier session is refused at the next opening. All
 * shards move to the next session together:
 *
 * <ol>
 *   <li>Each shard stores the present session, and the next one as announced. Durable before the
 *       next step.
 *   <li>The file has the next session, with an anchor of each shard, and the new placement if there
 *       is one. Durable before the next step. This decides.
 *   <li>Each shard stores that it has the session, before all that is committed later. A crash can
 *       lose this.
 * </ol>
 *
 * <p>So a shard belongs to the session of the file if it has it, or if it is announced there. No
 * write of the program runs during these steps. If a shard is full, the store stays in its session,
 * so that it can still be opened, emptied and given more shards.
 *
 * @param id random; null if the shards have none yet
 * @param anchors of the shards, at the begin of the session: none ends before its anchor
 */
record Session(@Nullable UUID id, List<HeapAnchor> anchors) {
  /** The session of shards that have none. */
  static final Session NONE = new Session(null, List.of());

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
    for (Shard shard : shards) {
      if (!ShardIdentity.of(shard.heap).isOf(id) || isBeforeAnchor(shard)) {
        throw CorruptException.heap(
            shard.heap.stats().location()
                + " does not fit to the file "
                + Descriptor.FILE
                + " of its store: this shard, the file, or both were replaced by those of another"
                + " moment. No data was changed. Put all files of one moment back, or restore a"
                + " backup of the store. To open the store with shards of different moments, call"
                + " ShardedStoreBuilder.acceptMixedShards.");
      }
    }
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
   * Moves a store to its next session; one of version 1 gets the placement only.
   *
   * @param medium of its directory
   * @param from the file as it is
   * @param placement as of the next session
   * @param shards those of the placement; no other thread writes to them
   * @param changed called when the file has changed
   */
  static void renew(
      Medium medium,
      Descriptor from,
      Placement placement,
      List<Shard> shards,
      Consumer<Descriptor> changed) {
    Session old = from.session();
    Session next = old == null ? null : announce(old, shards);
    Descriptor to = from.with(placement, next);
    if (!to.equals(from)) {
      to.write(medium);
      changed.accept(to);
    }
    if (next != null && !Objects.equals(next, old)) {
      enter(next, shards);
    }
  }

  /** The next session, which all shards have announced durably; the old one if a shard is full. */
  private static Session announce(Session old, List<Shard> shards) {
    UUID next = UUID.randomUUID();
    try {
      shards.forEach(shard -> ShardIdentity.announce(shard, old.id, next));
    } catch (FullException e) {
      return old;
    }
    List<HeapAnchor> anchors =
        shards.stream().map(shard -> HeapAnchor.of(shard.heap)).toList(); // durable then
    return new Session(next, anchors);
  }

  private static void enter(Session session, List<Shard> shards) {
    try {
      shards.forEach(shard -> ShardIdentity.enter(shard, session.id));
    } catch (FullException e) {
      // It is announced in all shards, so they belong to it.
    }
  }
}
