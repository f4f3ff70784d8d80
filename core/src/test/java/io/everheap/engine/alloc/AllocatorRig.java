package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.ImageMemory;
import io.everheap.engine.log.Log;
import io.everheap.engine.log.LogOptions;
import io.everheap.engine.log.Logs;
import io.everheap.engine.tx.CommitMonitor;
import io.everheap.engine.tx.CommitParticipant;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.EverheapException;
import io.everheap.error.FullException;
import io.everheap.memory.MediumFile;
import io.everheap.memory.MemoryMedium;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** An allocator over a home image in memory, with a limit. */
final class AllocatorRig implements AutoCloseable, HomeGrowth {
  /** A block that the walker found. */
  record Block(int type, long size) {}

  final int extentShift;
  final long limit;
  final Home home;
  final Transactions transactions;
  final HeapMemory memory;
  Allocator allocator;

  private final MemoryMedium medium = new MemoryMedium();
  private final Log log;
  private boolean failing;
  private int growthStep = ChunkLayout.CHUNK_BYTES;

  AllocatorRig(int extentShift, int limitChunks) {
    this.extentShift = extentShift;
    this.limit = (long) limitChunks * ChunkLayout.CHUNK_BYTES;
    MediumFile file = medium.create("heap");
    this.home = new Home(medium, file, extentShift, limit, ImageMemory.of(Long.MAX_VALUE));
    home.map(limit);
    home.putLong(HomeLayout.CAPACITY_ADDRESS, HomeLayout.INITIAL_CAPACITY);
    this.log = Logs.start(medium, LogOptions.defaults(), new UUID(1, 2), 1, 0, 0, Set.of());
    this.transactions = new Transactions(home, log, new Monitor(), 1L << 30, 1L << 40, true, false);
    transactions.setParticipant(new Participant());
    this.memory = transactions.memory();
    this.allocator = open();
  }

  long extentMask() {
    return (1L << extentShift) - 1;
  }

  AllocatorRig growthStep(int chunks) {
    growthStep = chunks * ChunkLayout.CHUNK_BYTES;
    return this;
  }

  /** A new allocator over the same bytes. */
  Allocator open() {
    return new Allocator(memory, extentShift, this);
  }

  void reopen() {
    allocator = open();
  }

  @Override
  public long limit() {
    return limit;
  }

  @Override
  public long grow(long minimumCapacity) {
    if (minimumCapacity > limit) {
      throw FullException.heap(limit, minimumCapacity, "maxSize");
    }
    return Math.min(limit, (minimumCapacity + growthStep - 1) / growthStep * growthStep);
  }

  void begin() {
    transactions.begin();
  }

  void commit() {
    transactions.end(true);
  }

  void rollback() {
    transactions.end(false);
  }

  /** The outermost commit is prepared, fails then, and rolls back. */
  void failCommit() {
    failing = true;
    assertThatThrownBy(this::commit).isInstanceOf(CommitFailure.class);
    failing = false;
  }

  void transact(Runnable body) {
    begin();
    body.run();
    commit();
  }

  void rolledBack(Runnable body) {
    begin();
    body.run();
    rollback();
  }

  /** Allocates a block in a transaction of its own. */
  long allocate(long size) {
    long[] reference = new long[1];
    transact(() -> reference[0] = allocator.allocate(BlockType.RAW, size));
    return reference[0];
  }

  void free(long reference) {
    transact(() -> allocator.free(Stripes.NONE, reference));
  }

  /** Allocates blocks of one size, in one transaction. */
  List<Long> allocate(int count, long size) {
    List<Long> references = new ArrayList<>();
    transact(
        () -> {
          for (int i = 0; i < count; i++) {
            references.add(allocator.allocate(BlockType.RAW, size));
          }
        });
    return references;
  }

  void free(List<Long> references) {
    transact(() -> references.forEach(reference -> allocator.free(Stripes.NONE, reference)));
  }

  /** Allocates blocks of one size until the heap is full, in a transaction each. */
  List<Long> fill(long size) {
    List<Long> references = new ArrayList<>();
    while (true) {
      begin();
      long reference;
      try {
        reference = allocator.allocateRaw(BlockType.RAW, size);
      } catch (FullException full) {
        rollback();
        return references;
      }
      commit();
      references.add(reference);
    }
  }

  /** What a walk finds wrong. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    walk(new TreeMap<>(), problems);
    return problems;
  }

  /** The blocks that a walk finds. */
  Map<Long, Block> blocks() {
    Map<Long, Block> blocks = new TreeMap<>();
    walk(blocks, new ArrayList<>());
    return blocks;
  }

  void walk(Map<Long, Block> blocks, List<String> problems) {
    new AllocationWalker(memory, extentShift)
        .walk(
            new AllocationVisitor() {
              @Override
              public void block(long reference, int type, long size) {
                if (blocks.put(reference, new Block(type, size)) != null) {
                  problems.add("twice: " + Reference.describe(reference));
                }
              }

              @Override
              public void problem(long address, String message) {
                problems.add(address + ": " + message);
              }
            });
  }

  @Override
  public void close() {
    log.close();
    home.unmap(() -> new IllegalStateException("closed"));
    medium.close();
  }

  /** What a commit that was made to fail throws. */
  private static final class CommitFailure extends RuntimeException {
    CommitFailure() {
      super("on purpose");
    }
  }

  /** The part of the present allocator. */
  private final class Participant implements CommitParticipant {
    @Override
    public void prepare() {
      allocator.participant().prepare();
      if (failing) {
        throw new CommitFailure();
      }
    }

    @Override
    public void fresh(FreshBlocks sink) {
      allocator.participant().fresh(sink);
    }

    @Override
    public void applied() {
      allocator.participant().applied();
    }

    @Override
    public int mark() {
      return allocator.participant().mark();
    }

    @Override
    public void rollbackTo(int mark) {
      allocator.participant().rollbackTo(mark);
    }

    @Override
    public void reset() {
      allocator.participant().reset();
    }
  }

  private static final class Monitor implements CommitMonitor {
    @Override
    public void awaitGate() {}

    @Override
    public void checkReadable() {}

    @Override
    public void committed(long lsn) {}

    @Override
    public void poison(Throwable cause) {
      throw new AssertionError("poisoned", cause);
    }

    @Override
    public EverheapException poisoned() {
      throw new AssertionError("poisoned");
    }
  }
}
