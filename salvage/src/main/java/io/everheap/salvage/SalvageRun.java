package io.everheap.salvage;

import io.everheap.Heap;
import io.everheap.engine.alloc.BlockType;
import io.everheap.report.VerifyProgress;
import io.everheap.structure.common.StructureContext;
import java.util.List;
import java.util.Map;

/**
 * Copies the sound parts of one heap, which may be open in any state, into another, in stages: each
 * stage uses what the earlier ones found, and searches the blocks that they left. Used by one
 * thread, while no transaction changes the damaged heap.
 */
final class SalvageRun {
  private final DamagedSource source;
  private final SalvagedStructures structures;
  private final DamagedPlaces places;
  private final VerifyProgress progress;

  SalvageRun(StructureContext heap, Heap target, DamagedPlaces places, VerifyProgress progress) {
    this.source = DamagedSource.of(heap, places);
    this.structures = new SalvagedStructures(heap, target);
    this.places = places;
    this.progress = progress;
  }

  SavedRoots run() {
    FoundCatalog catalog = new CatalogStage(source).run();
    FreeNames names = new FreeNames(catalog.roots().keySet());
    WalkedRoots walked = new RootsStage(source, structures, progress, catalog, names).run();
    progress.update("entries outside of their chains", 0.8);
    long lost = new NodesStage(source, walked).run();
    List<SalvagedRoot> roots = name(walked, names);
    structures.finish();
    progress.update("raw blocks", 0.9);
    saveBlocks();
    return new SavedRoots(
        roots.stream().map(SalvagedRoot::report).toList(),
        source.notes().all(),
        walked.unassigned() + lost);
  }

  /** Names the structures that nothing found leads to, and adds the others to their roots. */
  private List<SalvagedRoot> name(WalkedRoots walked, FreeNames names) {
    for (Map.Entry<Long, SalvagedRoot> entry : walked.unnamed().entrySet()) {
      SalvagedRoot rest = entry.getValue();
      SalvagedStructures.Target first = rest.first();
      if (rest.isPart() || walked.named().contains(entry.getKey())) {
        continue;
      }
      String name = names.next();
      rest.rename(name);
      String kind = first == null ? "structure" : first.kind().name();
      source.notes().add("no root leads to a " + kind + "; it is saved as " + name);
      if (first != null) {
        structures.name(name, first.reference());
      }
    }
    walked.roots().forEach(SalvagedRoot::fold);
    return walked.roots().stream().filter(root -> !root.isPart()).toList();
  }

  /** Saves raw blocks, which the program finds by handles. */
  private void saveBlocks() {
    SalvagedBlocks raw = new SalvagedBlocks(source.heap(), structures, places);
    source.blocks().forEachUnowned(type -> type == BlockType.RAW, raw::add);
    raw.finish().forEach(source.notes()::add);
  }
}
