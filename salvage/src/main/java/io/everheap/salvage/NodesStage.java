package io.everheap.salvage;

import io.everheap.engine.alloc.BlockType;
import io.everheap.error.EverheapException;
import io.everheap.structure.common.NestedNames;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.sorted.OrphanLeaves;
import org.jspecify.annotations.Nullable;

/**
 * The third stage: assigns each node and leaf without an owner to the only structure that it can
 * belong to, and saves its entries there. Used by one thread.
 */
final class NodesStage implements StructureFindings {
  private final StructureContext heap;
  private final OwnedBlocks blocks;
  private final EntryDamage damage;
  private final WalkedRoots walked;
  private long unassigned;

  // The structure that the entries which come next belong to.
  private @Nullable SalvagedRoot root;
  private SalvagedStructures.@Nullable Target target;

  NodesStage(DamagedSource source, WalkedRoots walked) {
    this.heap = source.heap();
    this.blocks = source.blocks();
    this.damage = source.damage();
    this.walked = walked;
  }

  /** Assigns all; returns how many nodes could not be assigned to a structure. */
  long run() {
    if (walked.tables().isEmpty() && walked.trees().isEmpty() && !walked.headerLost()) {
      return 0;
    }
    blocks.forEachUnowned(type -> type == BlockType.SORTED_NODE, this::assignToTree);
    blocks.forEachUnowned(type -> type == BlockType.SORTED_ENTRY, this::assignToTree);
    blocks.forEachUnowned(type -> type == BlockType.MAP_NODE, this::assignToTable);
    walked.roots().forEach(SalvagedRoot::flush);
    return unassigned;
  }

  private void assignToTable(long node) {
    CutTable only = null;
    int candidates = 0;
    for (CutTable candidate : walked.tables()) {
      if (candidate.nodes().mayOwn(node)) {
        only = candidate;
        candidates++;
      }
    }
    if (only != null && candidates == 1) {
      root = only.root();
      target = only.target();
      only.nodes().take(node, this);
    } else {
      unassigned++;
    }
  }

  /**
   * Assigns a leaf or an entry to the sorted map or set that it must belong to, if there is one.
   */
  private void assignToTree(long block) {
    CutTree only = null;
    int candidates = 0;
    for (CutTree candidate : walked.trees()) {
      if (candidate.leaves().mayOwn(block)) {
        only = candidate;
        candidates++;
      }
    }
    if (only != null && candidates == 1) {
      root = only.root();
      target = only.target();
      only.leaves().take(block, this);
    } else if (!isInnerNode(block)) {
      unassigned++;
    }
  }

  /** Whether a block without an owner is an inner node, with which no entry is lost. */
  private boolean isInnerNode(long block) {
    try {
      return OrphanLeaves.isInnerNode(heap, block);
    } catch (EverheapException e) {
      return false;
    }
  }

  @Override
  public void problem(String kind, long address, @Nullable String key, String message) {}

  @Override
  public boolean owned(long block) {
    damage.block(block);
    return blocks.add(block);
  }

  @Override
  public boolean wantsEntries() {
    return true;
  }

  @Override
  public void skipped(String what) {
    SalvagedRoot current = root;
    if (current != null && what.startsWith("the value")) {
      current.reason(what);
    }
  }

  @Override
  public void entry(long node, Object key, Object value) {
    String doubt = damage.ofEntry(node);
    SalvagedRoot current = root;
    SalvagedStructures.Target into = target;
    if (current == null || into == null) {
      return;
    }
    if (doubt == null && walked.headerLost()) {
      doubt = "found outside of its chain, while the header of another structure is lost";
    }
    current.add(into, key, value, true, doubt);
    claim(current, into, value);
  }

  /** An entry that was found late may refer to a structure that seemed to have no root. */
  private void claim(SalvagedRoot current, SalvagedStructures.Target into, Object value) {
    if (value instanceof Long named && NestedNames.isNested(into.valueType())) {
      SalvagedRoot part = walked.unnamed().get(named);
      if (part != null && !part.isPart() && !part.equals(current)) {
        part.partOf(current);
      }
    }
  }
}
