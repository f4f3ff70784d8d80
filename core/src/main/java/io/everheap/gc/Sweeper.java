package io.everheap.gc;

import io.everheap.codec.described.DescribedCodecs;
import io.everheap.durable.type.ObjectImage;
import io.everheap.durable.type.ObjectLayouts;
import io.everheap.engine.alloc.AllocationVisitor;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockSearch;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptException;
import io.everheap.error.GoneException;
import io.everheap.report.CollectReport;
import io.everheap.structure.common.Damage;
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
 * Frees the objects and structures that are not live, chunk by chunk. It searches a chunk without a
 * lock, and frees the candidates in short transactions, which check each candidate again. A
 * transaction frees whole objects and structures, so a crash between two transactions leaves the
 * rest to the next collection.
 *
 * <p>Used by the collecting thread.
 */
final class Sweeper {
  /** The longest time for which a collection kept writers out. */
  static final class Pauses {
    private long longest;

    void add(long nanos) {
      longest = Math.max(longest, nanos);
    }

    Duration longest() {
      return Duration.ofNanos(longest);
    }
  }

  private static final long MAX_TRANSACTION_NANOS = 200_000;
  private static final long PAUSE_NANOS = 20_000;

  private final StructureContext heap;
  private final Transactions transactions;
  private final Allocator allocator;
  private final Liveness liveness;
  private final Pauses pauses;
  private final ObjectLayouts layouts;
  private final LongConsumer steps;
  private final int maxFrees;
  private final List<String> leftAlone = new ArrayList<>();
  private final BlockSearch search;
  private final Candidates candidates = new Candidates();

  /** Whether the search without a lock met damage, or blocks that a commit was changing. */
  private boolean inconsistent;

  private long[] found = new long[256];
  private int count;
  private long objects;
  private long structures;
  private long bytes;

  /**
   * Creates a sweeper.
   *
   * @param liveness of a finished marking
   * @param effort how the work is divided
   * @param pauses receives the duration of each transaction
   * @param steps called between transactions with the number of objects and structures freed so
   *     far; what it throws ends the sweep
   */
  Sweeper(
      StructureContext heap, Liveness liveness, Effort effort, Pauses pauses, LongConsumer steps) {
    this.maxFrees = effort.maxFrees();
    this.heap = heap;
    this.transactions = heap.transactions();
    this.allocator = heap.allocator();
    this.liveness = liveness;
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
   * Frees all garbage.
   *
   * @param capacity of the home image when the marking began, in bytes; what lies behind is live
   */
  void run(long capacity) {
    int chunks = (int) (capacity >>> HomeLayout.CHUNK_SHIFT);
    int chunk = 0;
    while (chunk < chunks) {
      count = 0;
      chunk += findCandidates(chunk, chunks);
      int next = 0;
      do {
        steps.accept(objects + structures);
        if (count > 0) {
          next = free(next);
        }
      } while (next < count);
    }
  }

  /** Searches a chunk, with the other chunks of a large block; returns the number of chunks. */
  private int findCandidates(int chunk, int chunks) {
    while (true) {
      inconsistent = false;
      try {
        int visited = search.visit(chunk, chunks, liveness::isLiveAt, candidates);
        if (inconsistent) {
          count = 0;
          transactions.quiesced(() -> findCandidatesQuiesced(chunk, chunks));
        }
        return visited;
      } catch (CorruptException e) {
        Damage.rethrowOfLog(e);
        leaveAlone(HomeLayout.CHUNK_SIZE * (long) chunk, e.getMessage());
        return 1;
      }
    }
  }

  /** Searches again while no transaction runs, so that an inconsistency is damage. */
  private void findCandidatesQuiesced(int chunk, int chunks) {
    long start = System.nanoTime();
    inconsistent = false;
    String[] first = new String[1];
    search.visit(
        chunk,
        chunks,
        liveness::isLiveAt,
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

  /** Receives what the search finds while transactions run. */
  private final class Candidates implements AllocationVisitor {
    @Override
    public void block(long reference, int type, long size) {
      if (isCollected(type) && !liveness.isLive(reference)) {
        add(reference);
      }
    }

    @Override
    public void problem(long address, String message) {
      inconsistent = true;
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
   * Frees candidates in one transaction, and returns the index of the next one. {@code begin} and
   * {@code end} are called directly so that the pause is measured from the moment the lock is held.
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
      int end = Math.min(count, from + maxFrees);
      while (next < end && System.nanoTime() - start < MAX_TRANSACTION_NANOS) {
        if (liveness.isGarbage(allocator, found[next])) {
          freeOne(found[next]);
        }
        next++;
      }
      ok = true;
    } catch (InternalError e) {
      throw transactions.faulted(e);
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
    LockSupport.parkNanos(PAUSE_NANOS); // lets waiting writers have the lock
    return next;
  }

  /** Frees an object or structure in a nested transaction; a damaged one is left alone whole. */
  private void freeOne(long reference) {
    try {
      transactions.run(() -> freeWhole(reference));
    } catch (CorruptException | GoneException e) {
      Damage.rethrowOfLog(e);
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
