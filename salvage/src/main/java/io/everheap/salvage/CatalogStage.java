package io.everheap.salvage;

import io.everheap.check.RootWalk;
import io.everheap.codec.CodecInput;
import io.everheap.codec.Codecs;
import io.everheap.durable.type.ObjectImage;
import io.everheap.engine.alloc.BlockType;
import io.everheap.error.CorruptException;
import io.everheap.error.GoneException;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.map.MapInfo;
import io.everheap.structure.map.OrphanNodes;
import io.everheap.structure.names.NameTables;
import io.everheap.structure.names.TypeTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The first stage: reads the maps of types and of roots, including nodes that are cut off, and
 * searches for the maps if the catalog lost them. Used by one thread.
 */
final class CatalogStage implements RootWalk.Findings {
  private final StructureContext heap;
  private final OwnedBlocks blocks;
  private final SalvageNotes notes;
  private final RootWalk walk;
  private final Map<String, Long> types = new LinkedHashMap<>();
  private final Map<String, Long> roots = new LinkedHashMap<>();
  private String owner = "";
  private long reference;

  /** Finds cut-off nodes of the map that is being read; null if no chain is cut. */
  private @Nullable OrphanNodes orphans;

  private boolean headerLost;

  CatalogStage(DamagedSource source) {
    this.heap = source.heap();
    this.blocks = source.blocks();
    this.notes = source.notes();
    this.walk = new RootWalk(heap, this);
  }

  FoundCatalog run() {
    read(RootWalk.TYPES, TypeTable.CATALOG_WORD, types);
    read(RootWalk.ROOTS, NameTables.ROOTS_WORD, roots);
    search();
    return new FoundCatalog(types, roots, headerLost);
  }

  private void read(String name, int word, Map<String, Long> into) {
    begin(name);
    reference = heap.memory().getLong(heap.catalog(word));
    into.putAll(walk.catalogMap(reference));
    OrphanNodes lost = orphans;
    if (lost != null) {
      StructureFindings late = new OrphanNames(into);
      blocks.forEachUnowned(
          type -> type == BlockType.MAP_NODE,
          node -> {
            if (lost.mayOwn(node)) {
              lost.take(node, late);
            }
          });
    }
  }

  /**
   * Searches for the maps of the catalog if nothing leads to them: they are recognized by having no
   * types.
   */
  private void search() {
    List<Long> found = new ArrayList<>();
    blocks.forEachUnowned(
        type -> type == BlockType.MAP_HEADER,
        header -> {
          MapInfo info = MapInfo.read(heap, header);
          boolean untyped = info.keyType() == 0 && info.valueType() == 0;
          if (untyped && !info.wordKeys() && info.wordValues()) {
            found.add(header);
          }
        });
    for (long header : found) {
      begin(RootWalk.ROOTS);
      reference = header;
      Map<String, Long> entries = walk.catalogMap(header);
      boolean isRoots = !entries.isEmpty() && entries.values().stream().allMatch(this::isStructure);
      (isRoots ? roots : types).putAll(entries);
      notes.add("the catalog has lost its map of " + (isRoots ? "roots" : "types"));
    }
  }

  private boolean isStructure(long candidate) {
    try {
      int type = heap.allocator().type(candidate);
      return heap.kinds().isHeader(type) || type == BlockType.RAW || ObjectImage.isObject(type);
    } catch (GoneException | CorruptException | IndexOutOfBoundsException e) {
      Damage.rethrowOfLog(e);
      return false;
    }
  }

  @Override
  public void begin(String name) {
    owner = name;
    orphans = null;
  }

  @Override
  public void problem(String kind, long address, @Nullable String key, String message) {
    notes.addProblem(owner + ": " + SalvageNotes.problem(kind, address, key, message));
  }

  @Override
  public boolean owned(long block) {
    return blocks.add(block);
  }

  @Override
  public void cut(long first, long end) {
    OrphanNodes search = orphans;
    if (search == null) {
      try {
        search = new OrphanNodes(heap, reference, Codecs.STRING, Codecs.LONG);
      } catch (GoneException | CorruptException | IndexOutOfBoundsException e) {
        Damage.rethrowOfLog(e);
        headerLost = true;
        return;
      }
      orphans = search;
    }
    search.cut(first, end);
  }

  @Override
  public boolean wantsEntries() {
    return true;
  }

  /** Adds names from nodes that no chain leads to. */
  private final class OrphanNames implements StructureFindings {
    private final Map<String, Long> into;

    OrphanNames(Map<String, Long> into) {
      this.into = into;
    }

    @Override
    public void problem(String kind, long address, @Nullable String key, String message) {}

    @Override
    public boolean owned(long block) {
      return blocks.add(block);
    }

    @Override
    public void entry(long node, Object key, Object value) {
      if (key instanceof byte[] name && value instanceof Long reference) { // as the header says
        into.putIfAbsent(Codecs.STRING.read(new CodecInput(name)), reference);
      }
    }
  }
}
