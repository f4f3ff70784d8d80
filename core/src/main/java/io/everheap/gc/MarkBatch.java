package io.everheap.gc;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.alloc.SlotShape;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Snapshot;
import io.everheap.memory.Window;
import io.everheap.object.type.ObjectLayout;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * References into one chunk that are looked at together. Their headers are loaded one after the
 * other with nothing in between, none waiting for another one, so the processor fetches many at
 * once, where it would wait for each in turn while they are looked into.
 *
 * <p>It loads from the heap as it is now. If no line of the chunk was kept until the last load,
 * that is the state that is marked, and what has been found counts; if one was, nothing of it does,
 * and the marker looks at each reference as it always can.
 */
final class MarkBatch {
  /** References in one at most. */
  static final int MOST = 256;

  /** The references, which the caller puts here. */
  final long[] references = new long[MOST];

  private final HeapMemory live;
  private final Snapshot taken;
  private final long[] headers = new long[MOST];

  /** Ends of what was found; of what is no object that is understood here, its complement. */
  private final int[] ends = new int[MOST];

  private long[] found = new long[4 * MOST];

  /**
   * A batch.
   *
   * @param live the bytes of the heap as they are now
   * @param taken the state that is marked
   */
  MarkBatch(HeapMemory live, Snapshot taken) {
    this.live = live;
    this.taken = taken;
  }

  /**
   * Loads the headers of what the references lead to, and the references in the objects among them.
   *
   * @param count of the references, all into one chunk
   * @param scans of objects, by the numbers of their types
   * @return whether what was found is of the state that is marked
   */
  boolean load(int count, List<@Nullable ObjectScan> scans) {
    long first = Reference.address(references[0]);
    MemorySegment home = live.window(first).now();
    if (home == null) {
      return false;
    }
    try {
      for (int i = 0; i < count; i++) {
        headers[i] = Window.load(home, offset(i));
      }
      int end = 0;
      for (int i = 0; i < count; i++) {
        int next = loadObject(home, i, end, scans);
        ends[i] = next;
        end = next < 0 ? ~next : next;
      }
    } catch (IllegalStateException | IndexOutOfBoundsException e) {
      return false; // the extent is being mapped anew, or a reference is none
    }
    return taken.isUntouched(first);
  }

  private int offset(int i) {
    return live.windowOffset(Reference.address(references[i]));
  }

  private int loadObject(MemorySegment home, int i, int start, List<@Nullable ObjectScan> scans) {
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
      long reference = Window.load(home, offset(i) + (long) offset);
      found[end] = reference;
      end += reference == Reference.NULL ? 0 : 1;
    }
    return end;
  }

  /** Whether what a reference leads to is an object, whose references were found. */
  boolean isObject(int i) {
    return ends[i] >= 0;
  }

  /** Where those of an object begin. */
  int start(int i) {
    int before = i == 0 ? 0 : ends[i - 1];
    return before < 0 ? ~before : before;
  }

  /** Where those of an object end. */
  int end(int i) {
    return ends[i];
  }

  /** A reference that was found. */
  long found(int at) {
    return found[at];
  }
}
