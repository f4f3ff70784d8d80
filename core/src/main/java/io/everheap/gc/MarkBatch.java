package io.everheap.gc;

import io.everheap.durable.type.ObjectLayout;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.alloc.SlotShape;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Snapshot;
import io.everheap.memory.Window;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * References into one chunk that are visited together. Their headers are loaded back to back, so
 * the processor overlaps the cache misses instead of waiting for each one in turn.
 *
 * <p>The loads go to the live heap, not to the snapshot. They are valid if the snapshot has saved
 * no line of the chunk by the time of the last load; otherwise the whole batch is discarded, and
 * the marker visits each reference through the snapshot.
 *
 * <p>Used by the marking thread.
 */
final class MarkBatch {
  /** Capacity of a batch. */
  static final int MAX_REFERENCES = 256;

  /** The references, filled in by the caller. */
  final long[] references = new long[MAX_REFERENCES];

  private final HeapMemory live;
  private final Snapshot snapshot;
  private final long[] headers = new long[MAX_REFERENCES];

  /**
   * For each reference the end of its part of {@link #found}; the complement of the end if the
   * block is no object of a simple layout.
   */
  private final int[] ends = new int[MAX_REFERENCES];

  private long[] found = new long[4 * MAX_REFERENCES];

  /**
   * Creates an empty batch.
   *
   * @param live the heap as it is now
   * @param snapshot the state that is marked
   */
  MarkBatch(HeapMemory live, Snapshot snapshot) {
    this.live = live;
    this.snapshot = snapshot;
  }

  /**
   * Loads the headers of the referenced blocks, and the references in the objects among them.
   *
   * @param count of the references, all into one chunk
   * @param scans of objects, by the numbers of their types
   * @return whether the loads are valid in the snapshot
   */
  boolean load(int count, List<@Nullable ObjectScan> scans) {
    long first = Reference.address(references[0]);
    Window window = live.window(first);
    MemorySegment home = window.now();
    if (home == null) {
      return false;
    }
    try {
      for (int i = 0; i < count; i++) {
        headers[i] = window.load(home, offset(i));
      }
      int end = 0;
      for (int i = 0; i < count; i++) {
        int next = loadObject(window, home, i, end, scans);
        ends[i] = next;
        end = next < 0 ? ~next : next;
      }
    } catch (IllegalStateException | IndexOutOfBoundsException e) {
      return false; // the extent is being remapped, or a reference is invalid
    }
    return snapshot.isUntouched(first);
  }

  private int offset(int i) {
    return live.windowOffset(Reference.address(references[i]));
  }

  private int loadObject(
      Window window, MemorySegment home, int i, int start, List<@Nullable ObjectScan> scans) {
    long number = ObjectLayout.number(Allocator.typeOf(headers[i]));
    ObjectScan scan = number > 0 && number < scans.size() ? scans.get((int) number) : null;
    SlotShape shape = scan == null ? null : scan.shape;
    if (scan == null || shape == null || !shape.isBlock(references[i], headers[i])) {
      return ~start;
    }
    int end = start;
    if (found.length < start + scan.references.length) {
      found = Arrays.copyOf(found, 2 * found.length + scan.references.length);
    }
    for (int offset : scan.references) {
      long reference = window.load(home, offset(i) + (long) offset);
      found[end] = reference;
      end += reference == Reference.NULL ? 0 : 1;
    }
    return end;
  }

  /** Whether a reference leads to an object whose references were loaded. */
  boolean isObject(int i) {
    return ends[i] >= 0;
  }

  /** Index of an object's first reference; see {@link #found(int)}. */
  int start(int i) {
    int before = i == 0 ? 0 : ends[i - 1];
    return before < 0 ? ~before : before;
  }

  /** Index behind an object's last reference. */
  int end(int i) {
    return ends[i];
  }

  /** A reference in an object. */
  long found(int at) {
    return found[at];
  }
}
