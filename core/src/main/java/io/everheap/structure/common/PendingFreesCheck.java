package io.everheap.structure.common;

import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import java.util.List;
import java.util.Locale;

/** Checks the list of {@link PendingFrees} and what it owns. */
public final class PendingFreesCheck {
  private static final String KIND = "pending frees";

  private final StructureContext heap;
  private final List<Freer> freers;
  private final HeapMemory memory;
  private final StructureFindings findings;
  private final BlockCheck blocks;

  public PendingFreesCheck(StructureContext heap, List<Freer> freers, StructureFindings findings) {
    this.freers = freers;
    this.heap = heap;
    this.memory = heap.memory();
    this.findings = findings;
    this.blocks = new BlockCheck(heap, findings);
  }

  public void run() {
    long at = heap.catalog(PendingFrees.CATALOG_WORD);
    try {
      for (long entry = memory.getLong(at); entry != Reference.NULL; entry = memory.getLong(at)) {
        if (!blocks.own(
            at, "the next entry", entry, BlockType.PENDING_FREE, PendingFrees.ENTRY_BYTES)) {
          return; // a cycle, or no entry
        }
        at = Reference.address(entry);
        check(at);
        at += PendingFrees.NEXT;
      }
    } catch (RuntimeException e) {
      BlockCheck.requireOpen(e);
      findings.problem(KIND, at, null, String.valueOf(e.getMessage()));
    }
  }

  private void check(long at) {
    int number = (int) (memory.getLong(at + PendingFrees.KINDS) >>> PendingFrees.FREER_SHIFT);
    Freer freer = Freer.of(freers, number);
    if (number == 0) {
      checkTable(at);
    } else if (freer == null) {
      findings.problem(KIND, at, null, "impossible entry of kind " + number);
    } else {
      freer.check(heap, memory.getLong(at + PendingFrees.DIRECTORY), findings);
    }
  }

  private void checkTable(long at) {
    long directory = memory.getLong(at + PendingFrees.DIRECTORY);
    long buckets = memory.getLong(at + PendingFrees.BUCKETS);
    long kinds = memory.getLong(at + PendingFrees.KINDS);
    long cursor = memory.getLong(at + PendingFrees.CURSOR);
    boolean wordKeys = (kinds & MapLayout.WORD_KEYS) != 0;
    boolean wordValues = (kinds & MapLayout.WORD_VALUES) != 0;
    if (kinds != MapLayout.kinds(wordKeys, wordValues) || cursor < 0 || cursor >= buckets) {
      String message =
          String.format(Locale.ROOT, "kinds 0x%x, bucket %d of %d", kinds, cursor, buckets);
      findings.problem(KIND, at, null, "impossible entry: " + message);
      return;
    }
    if (!blocks.ownDirectory(at + PendingFrees.DIRECTORY, directory, buckets)) {
      return;
    }
    NodeStore nodes = new NodeStore(memory, heap.allocator(), wordKeys, wordValues);
    for (long i = cursor >>> MapLayout.SEGMENT_SHIFT; i < MapLayout.segments(buckets); i++) {
      long segment = blocks.ownSegment(directory, i, buckets);
      long first = i << MapLayout.SEGMENT_SHIFT;
      long end = segment == 0 ? first : Math.min(buckets, first + MapLayout.SEGMENT_BUCKETS);
      for (long bucket = Math.max(first, cursor); bucket < end; bucket++) {
        checkChain(nodes, MapLayout.bucketSlot(segment, bucket));
      }
    }
  }

  private void checkChain(NodeStore nodes, long slot) {
    for (long link = memory.getLong(slot); link != 0; link = memory.getLong(slot)) {
      long node = NodeLayout.node(link);
      String problem = blocks.nodeProblem(nodes, node);
      if (problem != null) {
        findings.problem(KIND, slot, null, problem);
        return;
      }
      if (!findings.owned(nodes.reference(node))) {
        return;
      }
      blocks.ownParts(nodes, node, null);
      slot = node + NodeLayout.NEXT;
    }
  }
}
