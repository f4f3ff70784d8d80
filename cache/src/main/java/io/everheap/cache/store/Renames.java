package io.everheap.cache.store;

import io.everheap.cache.format.State;
import io.everheap.cache.table.Pins;
import io.everheap.memory.MappedFaults;
import java.lang.foreign.MemorySegment;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Gives entries other keys, with the values and times that they have. The new entry is made before
 * the old one ends, as by a put: a crash between the two leaves both. Listeners and counters of
 * this opening see neither. Thread-safe.
 */
final class Renames {
  private final Turn turn;
  private final Pins pins;
  private final Superblocks superblocks;
  private final Contents contents;
  private final Entries entries;
  private final Insertions insertions;
  private final Changes changes;
  private final Durability durability;
  private final Slots slots;

  Renames(
      Base base,
      Superblocks superblocks,
      Contents contents,
      Durability durability,
      Entries entries,
      Insertions insertions,
      Changes changes) {
    this.turn = base.turn();
    this.slots = base.slots();
    this.pins = base.slots().pins();
    this.superblocks = superblocks;
    this.contents = contents;
    this.durability = durability;
    this.entries = entries;
    this.insertions = insertions;
    this.changes = changes;
  }

  /**
   * Gives an entry another key, if it is there still. It ends without another entry if there is one
   * of that key, or no room.
   *
   * @param slot where the entry was found
   * @param sequence of the entry
   * @param naming makes the new key of the old one; null if the entry is to end
   * @param hashing the hash of a key
   */
  void rename(
      int slot,
      long sequence,
      UnaryOperator<byte @Nullable []> naming,
      ToLongFunction<byte[]> hashing) {
    turn.requireUsable();
    int word = pins.pin(slot);
    try {
      if (Pins.state(word) == Pins.LIVE && contents.sequence(slot) == sequence) {
        renamePinned(slot, sequence, naming, hashing);
      }
    } finally {
      entries.unpin(slot);
    }
  }

  private void renamePinned(
      int slot,
      long sequence,
      UnaryOperator<byte @Nullable []> naming,
      ToLongFunction<byte[]> hashing) {
    try (Opened opened = contents.isSealed() ? contents.open(slot) : null) {
      if (contents.isSealed() ? opened == null : !contents.isWhole(slot)) {
        end(slot, sequence, Cause.DAMAGED);
        return;
      }
      long hash = slots.hash(slot);
      byte[] key = naming.apply(opened == null ? contents.key(slot) : opened.key());
      MemorySegment value = opened == null ? contents.value(slot) : opened.value();
      Draft draft =
          key == null ? null : insertions.allocate(key, hashing.applyAsLong(key), value.byteSize());
      if (draft == null) {
        end(slot, sequence, Cause.RENAMED);
        return;
      }
      try {
        draft.memory().copyFrom(value);
        MappedFaults.arrive();
      } catch (Throwable t) {
        insertions.abandon(draft);
        throw t;
      }
      insertions.insertFor(draft, slot, sequence, hash);
    }
  }

  /** From now on no entry has a key in a former form; durable. */
  void setReformed() {
    turn.requireUsable();
    changes.run(() -> superblocks.update(state -> state.flag(State.REFORMED, true)));
  }

  private void end(int slot, long sequence, Cause cause) {
    long hash = slots.hash(slot);
    changes.run(
        () -> {
          if (entries.isLive(slot) && contents.sequence(slot) == sequence) {
            entries.endUntold(slot, cause);
          }
        });
    durability.forceEnds(hash);
  }
}
