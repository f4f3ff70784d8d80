package io.everheap.salvage;

import io.everheap.check.RootWalk;
import io.everheap.durable.type.ObjectImage;
import io.everheap.error.CorruptException;
import io.everheap.error.GoneException;
import io.everheap.report.VerifyProgress;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.StructureContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The second stage: copies everything reachable from roots, then structures that no root leads to,
 * then objects that nothing leads to. Used by one thread.
 */
final class RootsStage {
  private final StructureContext heap;
  private final SalvagedStructures structures;
  private final OwnedBlocks blocks;
  private final SalvageNotes notes;
  private final VerifyProgress progress;
  private final FoundCatalog catalog;
  private final FreeNames names;
  private final RootSaver saver;
  private final RootWalk walk;

  RootsStage(
      DamagedSource source,
      SalvagedStructures structures,
      VerifyProgress progress,
      FoundCatalog catalog,
      FreeNames names) {
    this.heap = source.heap();
    this.structures = structures;
    this.blocks = source.blocks();
    this.notes = source.notes();
    this.progress = progress;
    this.catalog = catalog;
    this.names = names;
    this.saver = new RootSaver(source, structures, catalog);
    this.walk = new RootWalk(heap, saver);
  }

  WalkedRoots run() {
    walk.useTypes(catalog.types());
    structures.objects().useTypes(catalog.typeNames());
    saveRoots();
    progress.update("structures without a name", 0.7);
    saveStructures();
    long unassigned = saveObjects();
    return saver.walked(unassigned);
  }

  private void saveRoots() {
    Map<String, Long> roots = catalog.roots();
    walk.useRoots(roots.values());
    double done = 0;
    for (Map.Entry<String, Long> entry : roots.entrySet()) {
      progress.update(entry.getKey(), 0.1 + 0.6 * done++ / roots.size());
      walk.root(entry.getKey(), entry.getValue());
      saver.flush();
    }
    walk.pending();
  }

  /** Saves structures that no root leads to, outer structures before those that they hold. */
  private void saveStructures() {
    List<Long> found = new ArrayList<>();
    blocks.forEachUnowned(heap.kinds()::isHeader, found::add);
    Map<Long, Integer> depths = new HashMap<>();
    found.forEach(header -> depths.put(header, depth(header)));
    found.sort(Comparator.comparingInt(header -> -depths.getOrDefault(header, 0)));
    for (long header : found) {
      saver.begin("");
      walk.unreachable(header);
      saver.flush();
    }
  }

  /** An upper bound of the levels of nested structures that the types of a structure name. */
  private int depth(long header) {
    try {
      int depth = 0;
      for (long number : heap.kinds().of(heap, header).types(heap, header)) {
        depth = Math.max(depth, walk.typeName(number).split("ref ", -1).length);
      }
      return depth;
    } catch (GoneException | CorruptException | IndexOutOfBoundsException e) {
      Damage.rethrowOfLog(e);
      return 0;
    }
  }

  /**
   * Saves objects that nothing leads to in lists, one for each type; returns how many have none.
   */
  private long saveObjects() {
    Map<String, List<Long>> found = new LinkedHashMap<>();
    long[] unassigned = new long[1];
    blocks.forEachUnowned(
        ObjectImage::isObject,
        object -> {
          String type = structures.objects().typeOf(object);
          if (type == null) {
            unassigned[0]++;
          } else {
            found.computeIfAbsent(type, name -> new ArrayList<>()).add(object);
          }
        });
    found.forEach(this::saveObjects);
    return unassigned[0];
  }

  private void saveObjects(String type, List<Long> objects) {
    String name = names.next();
    SalvagedRoot list = new SalvagedRoot(name, structures);
    SalvagedStructures.Target to = structures.openList(type);
    notes.add("no root leads to objects of type " + type + "; a list has them: " + name);
    structures.name(name, to.reference());
    list.add(to, objects.size());
    saver.begin(name, list);
    walk.unreachableObjects(objects);
    for (int i = 0; i < objects.size(); i++) {
      list.add(to, (long) i, objects.get(i), true, null);
    }
    list.flush();
  }
}
