package io.everheap.salvage;

import io.everheap.block.Blocks;
import io.everheap.block.store.Handles;
import io.everheap.collection.DurableMap;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.EverheapException;
import io.everheap.heap.OpenHeap;
import io.everheap.structure.common.StructureContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Copies raw blocks, which programs link by their handles. The copies have other handles. Only the
 * program knows which stored numbers are handles, since a handle can be a small number; so none is
 * replaced, and a map from old to new handles is stored.
 */
final class SalvagedBlocks {
  /**
   * The name of the root of the new heap that maps old handles to new ones; a number is added if it
   * is taken.
   */
  private static final String HANDLES = "salvaged-handles";

  private static final int BATCH_BLOCKS = 1000;
  private static final long BATCH_BYTES = 4 << 20;

  private final StructureContext source;
  private final SalvagedStructures structures;
  private final DamagedPlaces places;
  private final Blocks blocks;
  private final Handles oldHandles;
  private final Map<Long, Long> copies = new HashMap<>();
  private final List<byte[]> batch = new ArrayList<>();
  private final List<Long> originals = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private long batchBytes;
  private long bytes;
  private long doubtful;

  SalvagedBlocks(StructureContext source, SalvagedStructures structures, DamagedPlaces places) {
    this.source = source;
    this.structures = structures;
    this.places = places;
    this.blocks = structures.target().blocks();
    this.oldHandles = Handles.of(source);
  }

  /** Copies a block. */
  void add(long original) {
    try {
      byte[] content = new byte[(int) source.allocator().size(original)];
      source.memory().copyOut(Reference.payload(original), content, 0, content.length);
      if (places.contain(Reference.address(original), content.length + Long.BYTES)) {
        doubtful++;
      }
      originals.add(original);
      batch.add(content);
      batchBytes += content.length;
      bytes += content.length;
    } catch (EverheapException | IndexOutOfBoundsException e) {
      note("a raw block at " + Reference.describe(original) + " is lost: " + e.getMessage());
    }
    if (batch.size() >= BATCH_BLOCKS || batchBytes >= BATCH_BYTES) {
      flush();
    }
  }

  private void note(String note) {
    if (notes.size() < SalvageReport.MAX_LISTED) {
      notes.add(note);
    }
  }

  private void flush() {
    structures.transact(
        () -> {
          for (int i = 0; i < batch.size(); i++) {
            byte[] content = batch.get(i);
            copies.put(oldHandles.handle(originals.get(i)), allocate(content));
          }
        });
    originals.clear();
    batch.clear();
    batchBytes = 0;
  }

  private long allocate(byte[] content) {
    int n = content.length;
    return blocks.allocate(n, range -> range.copyFrom(0, content, 0, n)).handle();
  }

  /**
   * Stores the map from old to new handles, including those of roots and in structures.
   *
   * @return what is doubtful
   */
  List<String> finish() {
    flush();
    long found = copies.size();
    if (found == 0) {
      return notes;
    }
    Handles newHandles = Handles.of(OpenHeap.structures(structures.target()));
    structures
        .blocks()
        .forEach((old, made) -> copies.put(oldHandles.handle(old), newHandles.handle(made)));
    String handles = saveHandles();
    note(
        found
            + " raw blocks of "
            + bytes
            + " bytes were saved, to which only the program knows the ways; their handles are new:"
            + " the map "
            + handles
            + " has the new one for each old one, and the program must replace those that it keeps");
    if (!Handles.areKnown(source)) {
      note(
          "the uuid of the heap is lost, so its handles cannot be told: the map has references in"
              + " their place");
    }
    if (doubtful > 0) {
      note(doubtful + " of the raw blocks are in pages that do not match their checksums");
    }
    return notes;
  }

  private String saveHandles() {
    Set<String> names = structures.target().names();
    String name = HANDLES;
    for (int number = 2; names.contains(name); number++) {
      name = HANDLES + "-" + number;
    }
    DurableMap<Long, Long> handles = structures.target().map(name, Long.class, Long.class);
    List<Map.Entry<Long, Long>> all = new ArrayList<>(copies.entrySet());
    for (int from = 0; from < all.size(); from += BATCH_BLOCKS) {
      List<Map.Entry<Long, Long>> part =
          all.subList(from, Math.min(all.size(), from + BATCH_BLOCKS));
      structures.transact(() -> part.forEach(pair -> handles.set(pair.getKey(), pair.getValue())));
    }
    return name;
  }
}
