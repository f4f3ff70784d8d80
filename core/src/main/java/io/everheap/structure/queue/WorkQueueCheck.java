package io.everheap.structure.queue;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.ValueStore;
import io.everheap.structure.deque.DequeCheck;
import io.everheap.structure.deque.DequeChunks;
import io.everheap.structure.deque.DequeReader;
import io.everheap.structure.list.TreeCheck;
import io.everheap.structure.list.WordTree;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks a work queue, whatever its bytes are: the deque of its elements, the tree of its leases,
 * and that each element before the first that was never leased has one lease, and no other has.
 */
public final class WorkQueueCheck {
  private static final String KIND = "work queue";

  private final StructureContext heap;
  private final long reference;
  private final long header;
  private final StructureFindings findings;

  /**
   * A check.
   *
   * @param reference of the header
   */
  public WorkQueueCheck(StructureContext heap, long reference, StructureFindings findings) {
    this.heap = heap;
    this.reference = reference;
    this.header = Reference.address(reference);
    this.findings = findings;
  }

  /**
   * Checks all of it.
   *
   * @param codec of the elements; null if they need not decode
   */
  public void run(@Nullable Codec<?> codec) {
    try {
      int bytes = WorkQueueLifecycle.HEADER_BYTES;
      if (new BlockCheck(heap, findings)
          .own(header, "the header", reference, BlockType.WORK_QUEUE_HEADER, bytes)) {
        DequeChunks chunks = new DequeChunks(heap, reference, WorkQueueLifecycle.ELEMENTS);
        WordTree tree = new WordTree(heap, reference, WorkQueueLifecycle.LEASES);
        new DequeCheck(heap, chunks, codec, findings).run();
        if (new TreeCheck(heap, tree, null, new OfLeases()).run()) {
          leases(chunks, tree);
        }
      }
    } catch (RuntimeException e) {
      BlockCheck.requireOpen(e);
      problem(String.valueOf(e.getMessage()));
    }
  }

  private void leases(DequeChunks chunks, WordTree tree) {
    LeaseTable leases = new LeaseTable(heap, tree);
    long next = heap.memory().getLong(header + WorkQueueLifecycle.NEXT);
    long before = chunks.size() - (chunks.tail() - next);
    boolean plausible =
        tree.words()
            && tree.size() % LeaseTable.WORDS == 0
            && next >= chunks.head()
            && next <= chunks.tail()
            && leases.size() == before;
    if (!plausible) {
      problem(
          String.format(
              Locale.ROOT,
              "%d words of leases for %d elements before %d",
              tree.size(),
              before,
              next));
      return;
    }
    var reader = new DequeReader<>(heap, chunks, new ValueStore<>(heap, Codecs.BYTES));
    Set<Long> leased = new HashSet<>();
    LeaseTable.Entry last = null;
    long chunk = Reference.NULL;
    for (long i = 0; i < before; i++) {
      LeaseTable.Entry entry = leases.get(i);
      chunk = entry.position() < next ? reader.locate(entry.position(), chunk) : Reference.NULL;
      boolean sound = chunk != Reference.NULL && entry.attempts() > 0 && entry.ticket() >= 0;
      if (!sound || !leased.add(entry.position()) || (last != null && !last.isBefore(entry))) {
        problem("the lease " + i + " makes no sense: " + entry);
        return;
      }
      last = entry;
    }
  }

  private void problem(String message) {
    findings.problem(KIND, header, null, message);
  }

  /** The words of leases are no elements. */
  private final class OfLeases implements StructureFindings {
    @Override
    public void problem(String kind, long address, @Nullable String key, String message) {
      findings.problem(kind, address, key, message);
    }

    @Override
    public boolean owned(long reference) {
      return findings.owned(reference);
    }
  }
}
