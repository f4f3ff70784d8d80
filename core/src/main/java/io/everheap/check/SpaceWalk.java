package io.everheap.check;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.ReadAgain;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.memory.MappedFaults;
import io.everheap.report.Footprint;
import io.everheap.structure.common.StructureContext;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures the blocks of one structure or object by a {@link RootWalk}, in a consistent read: an
 * attempt ends as soon as it notices that a commit was applied, and after several attempts the walk
 * keeps writers out. An attempt may meet anything in blocks that a commit changes, so a problem
 * counts only if a walk that keeps writers out finds one as well.
 *
 * <p>Used by one thread, for one attempt.
 */
public final class SpaceWalk implements RootWalk.Findings {
  /** Blocks between two looks at the commits. */
  private static final int STEP = 64;

  private final StructureContext heap;
  private final Transactions transactions;
  private final BlockSet seen;
  private boolean counting;
  private long bytes;
  private long blocks;
  private int visited;
  private @Nullable String problem;

  private SpaceWalk(StructureContext heap) {
    this.heap = heap;
    this.transactions = heap.transactions();
    this.seen = new BlockSet(heap.memory().getLong(HomeLayout.CAPACITY_ADDRESS));
  }

  /**
   * Measures a structure or object.
   *
   * @param reference finds its reference; called in each attempt
   * @throws io.everheap.error.GoneException if it does not exist
   * @throws CorruptException if it is damaged
   */
  public static Footprint measure(StructureContext heap, LongSupplier reference) {
    Transactions transactions = heap.transactions();
    transactions.requireReadable();
    try {
      Result result = transactions.read(() -> attempt(heap, reference));
      if (result.problem != null) {
        result = transactions.exclusively(() -> attempt(heap, reference));
      }
      if (result.problem != null) {
        transactions.requireReadable();
        throw CorruptException.heap(
            "The space of a structure cannot be measured, because it is damaged: "
                + result.problem
                + " (Heap.verify says more).");
      }
      return result.space;
    } catch (InternalError e) {
      throw transactions.faulted(e);
    }
  }

  /** The outcome of an attempt: the space, and the first problem. */
  private record Result(Footprint space, @Nullable String problem) {}

  private static Result attempt(StructureContext heap, LongSupplier reference) {
    SpaceWalk space = new SpaceWalk(heap);
    Footprint found = new Footprint(0, 0, 0, 0);
    long start = reference.getAsLong();
    try {
      found = space.run(start);
      MappedFaults.arrive();
    } catch (EverheapException | ReadAgain e) {
      throw e;
    } catch (RuntimeException e) { // bytes that are damaged, or that a commit changes now
      space.problem(String.valueOf(e));
    }
    heap.transactions().checkRead();
    return new Result(found, space.problem);
  }

  private Footprint run(long reference) {
    heap.allocator().check(reference);
    RootWalk walk = new RootWalk(heap, this);
    walk.own(reference);
    long ownBytes = bytes;
    long ownBlocks = blocks;
    walk.rest();
    return new Footprint(bytes, blocks, ownBytes, ownBlocks);
  }

  @Override
  public void begin(String owner) {
    counting = owner.equals(RootWalk.PART);
  }

  @Override
  public boolean decodesAll() {
    return false;
  }

  @Override
  public boolean owned(long reference) {
    if (++visited % STEP == 0) {
      transactions.checkRead();
    }
    if (!seen.add(reference)) {
      problem("the block " + Reference.describe(reference) + " has two owners");
      return false;
    }
    if (counting) {
      blocks++;
      bytes += Allocator.footprint(heap.allocator().size(reference));
    }
    return true;
  }

  @Override
  public void problem(String kind, long address, @Nullable String key, String message) {
    problem(String.format(Locale.ROOT, "%s at 0x%x: %s", kind, address, message));
  }

  private void problem(String message) {
    transactions.checkRead();
    if (problem == null) {
      problem = message;
    }
  }
}
