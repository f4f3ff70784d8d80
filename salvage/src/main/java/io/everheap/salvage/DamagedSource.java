package io.everheap.salvage;

import io.everheap.structure.common.StructureContext;

/**
 * A damaged heap, with the state that the stages of its salvage share.
 *
 * @param heap open for reading only, whatever state it is in
 * @param blocks that sound structures own
 * @param damage of entries
 * @param notes on the heap as a whole
 */
record DamagedSource(
    StructureContext heap, OwnedBlocks blocks, EntryDamage damage, SalvageNotes notes) {
  /** The source at the start, when nothing was saved. */
  static DamagedSource of(StructureContext heap, DamagedPlaces places) {
    SalvageNotes notes = new SalvageNotes();
    return new DamagedSource(
        heap, new OwnedBlocks(heap, notes), new EntryDamage(heap, places), notes);
  }
}
