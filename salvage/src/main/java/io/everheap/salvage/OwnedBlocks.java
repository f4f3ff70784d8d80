package io.everheap.salvage;

import io.everheap.check.BlockSet;
import io.everheap.engine.alloc.AllocationVisitor;
import io.everheap.engine.alloc.AllocationWalker;
import io.everheap.engine.home.HomeLayout;
import io.everheap.structure.common.StructureContext;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;

/**
 * The blocks of a damaged heap that sound structures own. All stages add to it; each stage searches
 * the blocks that the earlier ones left. Used by one thread.
 */
final class OwnedBlocks {
  private final StructureContext heap;
  private final SalvageNotes notes;
  private final BlockSet owned;

  OwnedBlocks(StructureContext heap, SalvageNotes notes) {
    this.heap = heap;
    this.notes = notes;
    this.owned = new BlockSet(heap.memory().getLong(HomeLayout.CAPACITY_ADDRESS));
  }

  /** Adds a block; false if it had an owner already. */
  boolean add(long block) {
    return owned.add(block);
  }

  /**
   * Calls an action for the allocated blocks of some types that have no owner, and notes damaged
   * tables.
   */
  void forEachUnowned(IntPredicate types, LongConsumer action) {
    RepeatedMessages damage = new RepeatedMessages();
    AllocationWalker walker = new AllocationWalker(heap.memory(), heap.extentShift());
    walker.walk(
        new AllocationVisitor() {
          @Override
          public void block(long block, int type, long size) {
            if (types.test(type) && !owned.contains(block)) {
              action.accept(block);
            }
          }

          @Override
          public void problem(long address, String message) {
            damage.add(address, message);
          }
        });
    damage.texts("allocation tables").forEach(notes::addOnce);
  }
}
