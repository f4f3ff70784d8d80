package io.everheap.gc;

import io.everheap.codec.described.DescribedCodecs;
import io.everheap.engine.alloc.AllocationVisitor;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockSearch;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptHeapException;
import io.everheap.error.StaleReferenceException;
import io.everheap.object.type.ObjectImage;
import io.everheap.object.type.ObjectLayouts;
import io.everheap.report.CollectReport;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.names.TypeTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Frees the objects and structures that are not live, chunk by chunk: it looks for them without a
 * lock, and frees them in short transactions, in each of which it looks again. What a transaction
 * frees is whole: a crash between two of them leaves the rest for the next collection.
 */
final class Sweeper {
  /** How long a collection kept writers out. */
  static final class Pauses {
    private long longest;

    void add(long nanos) {
      longest = Math.max(longest, nanos);
    }

    Duration longest() {
      return Duration.ofNanos(longest);
    }
  }

  private static final long MOST_NANOS = 200_000;
  private static final long PAUSE_NANOS = 20_000;

  private final StructureContext heap;
  private final Transactions transactions;
  private final Allocator allocator;
  private final Doomed doomed;
  private final Pauses pauses;
  private final ObjectLayouts layouts;
  private final LongConsumer steps;
  private final int mostFrees;
  private final List<String> leftAlone = new ArrayList<>();
  private final BlockSearch search;
  private final Candidates candidates = new Candidates();

  /** Whether the search met what makes no sense, or changed meanwhile. */
  private boolean suspected;

  private long[] found = new long[256];
  private int count;
  private long objects;
  private long structures;
  private long bytes;

  /**
   * A sweeper.
   *
   * @param effort how the work is divided
   * @param steps is called between transactions with the number of what was freed; what it throws
   *     ends the sweeping
   */
  Sweeper(StructureContext heap, Doomed doomed, Effort effort, Pauses pauses, LongConsumer steps) {
    this.mostFrees = effort.frees();
    this.heap = heap;
    this.transactions = heap.transactions();
    this.allocator = heap.allocator();
    this.doomed = doomed;
    this.pauses = pauses;
    this.layouts = new ObjectLayouts(new TypeTable(heap), DescribedCodecs::of);
    this.steps = steps;
    this.search = new BlockSearch(heap.memory(), heap.extentShift());
  }

  long objects() {
    return objects;
  }

  long structures() {
    return structures;
  }

  long bytes() {
    return bytes;
  }

  List<String> leftAlone() {
    return leftAlone;
  }

  /**
   * Frees everything.
   *
   * @param capacity of the home image when the marking began
   */
  void run(long capacity) {
    int chunks = (int) (capacity >>> HomeLayout.CHUNK_SHIFT);
    int chunk = 0;
    while (chunk < chunks) {
      count = 0;
      chunk += look(chunk, chunks);
      int next = 0;
      do {
        steps.accept(objects + structures);
        if (count > 0) {
          next = free(next);
        }
      } while (next < count);
    }
  }

  /** Finds candidates in a chunk; returns how many chunks it went through. */
  private int look(int chunk, int chunks) {
    while (true) {
      suspected = false;
      try {
        int visited = search.visit(chunk, chunks, doomed::isLiveAt, candidates);
        if (suspected) {
          count = 0;
          transactions.quiesced(() -> lookAgain(chunk, chunks));
        }
        return visited;
      } catch (CorruptHeapException e) {
        leaveAlone(HomeLayout.CHUNK_SIZE * (long) chunk, e.getMessage());
        return 1;
      }
    }
  }

  /** With no transaction running, so that what makes no sense is damage. */
  private void lookAgain(int chunk, int chunks) {
    long start = System.nanoTime();
    suspected = false;
    String[] first = new String[1];
    search.visit(
        chunk,
        chunks,
        doomed::isLiveAt,
        new AllocationVisitor() {
          @Override
          public void block(long reference, int type, long size) {
            candidates.block(reference, type, size);
          }

          @Override
          public void problem(long address, String message) {
            if (first[0] == null) {
              first[0] = message;
              leaveAlone(address, message);
            }
          }
        });
    pauses.add(System.nanoTime() - start);
  }

  private void leaveAlone(long address, @Nullable String why) {
    if (leftAlone.size() < CollectReport.MAX_LEFT_ALONE) {
      leftAlone.add("0x" + Long.toHexString(address) + ": " + why);
    }
  }

  /** What the search finds while transactions go on. */
  private final class Candidates implements AllocationVisitor {
    @Override
    public void block(long reference, int type, long size) {
      if (isCollected(type) && !doomed.isLive(reference)) {
        add(reference);
      }
    }

    @Override
    public void problem(long address, String message) {
      suspected = true;
    }
  }

  private void add(long reference) {
    if (count == found.length) {
      found = Arrays.copyOf(found, 2 * count);
    }
    found[count++] = reference;
  }

  private boolean isCollected(int type) {
    return ObjectImage.isObject(type)
        || (type < BlockType.FIRST_USER_TYPE && heap.kinds().isHeader(type));
  }

  /**
   * Frees some of what was found, in one transaction; returns where to go on. The transaction is
   * written out because the pause is counted from the moment when it has its turn.
   */
  private int free(int from) {
    long start = 0;
    long objectsBefore = objects;
    long structuresBefore = structures;
    long bytesBefore = bytes;
    int next = from;
    boolean ok = false;
    transactions.begin();
    try {
      start = System.nanoTime();
      transactions.wantSync(false);
      int most = Math.min(count, from + mostFrees);
      while (next < most && System.nanoTime() - start < MOST_NANOS) {
        if (doomed.isDoomed(allocator, found[next])) {
          freeOne(found[next]);
        }
        next++;
      }
      ok = true;
    } finally {
      if (!ok) {
        objects = objectsBefore;
        structures = structuresBefore;
        bytes = bytesBefore;
      }
      transactions.lock.endsDue++;
      transactions.end(ok);
      pauses.add(System.nanoTime() - start);
    }
    LockSupport.parkNanos(PAUSE_NANOS); // writers that wait for their turn get it
    return next;
  }

  /** Frees one, or leaves all of it alone if it is damaged. */
  private void freeOne(long reference) {
    try {
      transactions.run(() -> freeWhole(reference));
    } catch (CorruptHeapException | StaleReferenceException e) {
      if (leftAlone.size() < CollectReport.MAX_LEFT_ALONE) {
        leftAlone.add(Reference.describe(reference) + ": " + e.getMessage());
      }
    }
  }

  private void freeWhole(long reference) {
    long header = allocator.header(reference);
    int type = Allocator.typeOf(header);
    if (ObjectImage.isObject(type)) {
      ObjectImage object = ObjectImage.of(heap, layouts, reference);
      long size = object.bytes();
      object.free();
      objects++;
      bytes += size;
    } else if (isCollected(type)) {
      long size = allocator.size(reference, header);
      heap.kinds().of(heap, reference).destroy(heap, reference);
      structures++;
      bytes += size;
    }
  }
}
