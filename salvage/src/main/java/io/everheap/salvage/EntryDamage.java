package io.everheap.salvage;

import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.CorruptException;
import io.everheap.error.GoneException;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.StructureContext;
import org.jspecify.annotations.Nullable;

/**
 * Tells which entries lie in damaged pages. A walk names the block that holds an entry, then those
 * of its value, then the entry: {@link #block} and {@link #ofEntry} are called in this order. Used
 * by one thread.
 */
final class EntryDamage {
  private static final String DOUBT = "in a page that does not match its checksum";

  private final StructureContext heap;
  private final DamagedPlaces places;
  private long last;

  /** Whether the block that holds the next entries is damaged. */
  private boolean holder;

  /** Whether that block or one of the next entry's value is damaged. */
  private boolean entry;

  EntryDamage(StructureContext heap, DamagedPlaces places) {
    this.heap = heap;
    this.places = places;
  }

  /** Takes the next block of the walk. */
  void block(long reference) {
    last = Reference.address(reference);
    try {
      int type = heap.allocator().type(reference);
      long bytes = heap.allocator().size(reference) + Long.BYTES;
      boolean damaged = places.contain(last, bytes);
      if (isPartOfValue(type)) {
        entry |= damaged;
      } else {
        holder = damaged;
        entry = damaged;
      }
    } catch (GoneException | CorruptException e) {
      Damage.rethrowOfLog(e);
      entry = true;
    }
  }

  private static boolean isPartOfValue(int type) {
    return type == BlockType.VALUE_PART
        || type == BlockType.VALUE_CELL
        || type == BlockType.LARGE_VALUE_CELL
        || type == BlockType.OBJECT_BODY
        || type == BlockType.OBJECT_CELL;
  }

  /**
   * The reason why the entry at an address is doubtful, or null; the next entry may be in the same
   * block.
   */
  @Nullable String ofEntry(long node) {
    boolean damaged = entry || isOtherAndDamaged(node);
    entry = holder;
    return damaged ? DOUBT : null;
  }

  /** The reason why the object whose blocks came last is doubtful, or null. */
  @Nullable String ofObject() {
    boolean damaged = entry;
    entry = false;
    return damaged ? DOUBT : null;
  }

  /** Whether the block of an entry is another one than the walk named last, and is damaged. */
  private boolean isOtherAndDamaged(long block) {
    if (block == last) {
      return false;
    }
    try {
      long header = heap.memory().getLong(block);
      long size = heap.allocator().size(Reference.withGenerationOf(block, header));
      return places.contain(block, size + Long.BYTES);
    } catch (GoneException | CorruptException | IndexOutOfBoundsException e) {
      Damage.rethrowOfLog(e);
      return false; // an address within a block that the walk named before
    }
  }
}
