package io.everheap.engine.alloc;

import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.CommitParticipant;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.StoreBarrier;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.GoneException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Allocates and frees blocks of the home image.
 *
 * <p>A block has a type, an exact size and an address that is a multiple of 16; its payload starts
 * 8 bytes later. Blocks are allocated and freed inside transactions only. Both are part of the
 * transaction: a rollback undoes them, a crash leaks nothing, and a freed block's space is used
 * again only after the commit that freed it.
 *
 * <p>References can be checked, and sizes and types read, by any thread. Everything else is for the
 * thread that holds the writer lock.
 *
 * <h2>Sizes</h2>
 *
 * With its header, a block of up to 8 KiB takes a slot of one of {@value SizeClasses#COUNT} size
 * classes, one of up to 128 KiB whole pages of 4 KiB, a larger one whole chunks of 256 KiB in one
 * extent.
 */
public final class Allocator {
  private static final int MAX_RUN = PageLayout.MAX_PAGES << PageLayout.PAGE_SHIFT;
  private static final int SMALL = 64;

  private final HeapMemory memory;
  private final int extentShift;
  private final ChunkKinds kinds;
  private final ChunkTable table;
  private final UndoJournal journal = new UndoJournal();
  private final Space space;
  private final BlockFinder blocks;
  private final SlotAllocator slots;
  private final PageAllocator pages;
  private final LargeAllocator large;
  private final AllocatorTransaction participant;
  private @Nullable StoreBarrier barrier;

  /**
   * Creates the allocator of a home image. Of the image it reads only the capacity. The caller
   * registers {@link #participant} with the transactions.
   *
   * @param memory the home image
   * @param extentShift the size of an extent as a power of two, from 20 to 30
   * @param growth enlarges the home image
   */
  public Allocator(HeapMemory memory, int extentShift, HomeGrowth growth) {
    this.memory = memory;
    this.extentShift = extentShift;
    int chunks = chunks(memory.getLong(HomeLayout.CAPACITY_ADDRESS), extentShift);
    BurnedGenerations burned = new BurnedGenerations();
    this.kinds = new ChunkKinds(memory, extentShift, chunks);
    this.table = new ChunkTable(memory, extentShift, kinds, chunks, this::found);
    this.blocks = new BlockFinder(memory, kinds, extentShift);
    this.space = new Space(memory, table, growth, journal, burned, HomeLayout.CAPACITY_ADDRESS);
    this.slots = new SlotAllocator(memory, table, space, journal, burned);
    this.pages = new PageAllocator(memory, table, space, journal, burned);
    this.large = new LargeAllocator(memory, table, space, journal);
    this.participant =
        new AllocatorTransaction(
            memory, table, space, journal, burned, blocks, slots, pages, large);
  }

  /**
   * Returns the largest payload of one block.
   *
   * @param extentShift the size of an extent as a power of two
   * @return bytes
   */
  public static long maxBlock(int extentShift) {
    return (1L << extentShift) - ChunkLayout.CHUNK_BYTES - Reference.HEADER_BYTES;
  }

  /**
   * Returns how much space a block takes.
   *
   * @param payloadBytes the size of its payload, from 0 on
   * @return bytes, including the header and unused space
   */
  public static long footprint(long payloadBytes) {
    long bytes = payloadBytes + Reference.HEADER_BYTES;
    if (bytes <= SizeClasses.MAX_BYTES) {
      return SizeClasses.bytes(SizeClasses.of((int) bytes));
    }
    long unit = bytes <= MAX_RUN ? PageLayout.PAGE_MASK : ChunkLayout.CHUNK_MASK;
    return (bytes + unit) & ~unit;
  }

  /**
   * Returns the largest payload of one block of this heap.
   *
   * @return bytes
   */
  public long maxBlock() {
    return maxBlock(extentShift);
  }

  /**
   * Returns the allocator's participant in transactions.
   *
   * @return the participant
   */
  public CommitParticipant participant() {
    return participant;
  }

  /** What a replica's allocator follows the primary's with; one is made. */
  public ChunkFollower follower() {
    return new ChunkFollower(table, kinds, extentShift);
  }

  /**
   * Allocates a block whose payload is zero.
   *
   * @param type its type, up to {@link BlockType#MAX}
   * @param payloadBytes the exact size of its payload
   * @return a reference to it
   * @throws IllegalArgumentException if the type is invalid or the size above {@link #maxBlock}
   * @throws io.everheap.error.OutsideTransactionException outside of a transaction
   * @throws io.everheap.error.FullException if the heap's size limit is reached
   * @throws io.everheap.error.DiskFullException if the home image cannot grow
   */
  public long allocate(int type, long payloadBytes) {
    long reference = allocateRaw(type, payloadBytes);
    long address = Reference.payload(reference);
    long bytes = (payloadBytes + 7) & -8;
    if (bytes <= SMALL) {
      for (long end = address + bytes; address < end; address += 8) {
        memory.initLong(address, 0);
      }
    } else {
      memory.initZero(address, bytes);
    }
    return reference;
  }

  /**
   * Allocates a block whose payload has arbitrary contents. The caller must initialize all of it,
   * up to the next multiple of 8, before any other operation of the transaction.
   *
   * @param type its type, up to {@link BlockType#MAX}
   * @param payloadBytes the exact size of its payload
   * @return a reference to it
   * @throws IllegalArgumentException if the type is invalid or the size above {@link #maxBlock}
   * @throws io.everheap.error.OutsideTransactionException outside of a transaction
   * @throws io.everheap.error.FullException if the heap's size limit is reached
   * @throws io.everheap.error.DiskFullException if the home image cannot grow
   */
  public long allocateRaw(int type, long payloadBytes) {
    memory.requireWriter();
    if ((type & ~BlockType.MAX) != 0) {
      throw new IllegalArgumentException("A block type is from 0 to 2^20 - 1, not " + type);
    }
    long bytes = payloadBytes + Reference.HEADER_BYTES;
    long reference;
    journal.changing++;
    try {
      if (bytes >= Reference.HEADER_BYTES && bytes <= SizeClasses.MAX_BYTES) {
        int sizeClass = SizeClasses.of((int) bytes);
        reference = slots.allocate(sizeClass, type, SizeClasses.bytes(sizeClass) - (int) bytes);
      } else {
        reference = allocateLarger(type, bytes);
      }
    } catch (RuntimeException e) {
      journal.changing--;
      throw e;
    }
    journal.changing--;
    StoreBarrier b = barrier;
    if (b != null) {
      b.allocated(reference, payloadBytes);
    }
    return reference;
  }

  /**
   * Sets the barrier that is told of allocations, or removes it (null). Called inside a
   * transaction, or while none runs.
   */
  public void setBarrier(@Nullable StoreBarrier newBarrier) {
    barrier = newBarrier;
  }

  /**
   * Frees a block. For this transaction the reference is stale at once; for other threads the block
   * exists until the commit, and its space is not used again before.
   *
   * @param stripe the version stripe that covers the block for optimistic readers, or {@link
   *     Stripes#NONE}
   * @param reference the block
   * @throws io.everheap.error.GoneException if there is no such block
   * @throws io.everheap.error.OutsideTransactionException outside of a transaction
   */
  public void free(int stripe, long reference) {
    memory.requireWriter();
    free(stripe, reference, blocks.header(reference));
  }

  /**
   * Frees a block that must have a certain type, so that a damaged reference does not free another
   * structure's block.
   *
   * @param stripe the version stripe that covers the block for optimistic readers, or {@link
   *     Stripes#NONE}
   * @param reference the block
   * @param type that it must have
   * @throws io.everheap.error.CorruptException if there is no such block of that type
   * @throws io.everheap.error.OutsideTransactionException outside of a transaction
   */
  public void free(int stripe, long reference, int type) {
    memory.requireWriter();
    long header;
    try {
      header = blocks.header(reference);
    } catch (GoneException e) {
      throw AllocationDamage.at(
          Reference.address(reference),
          "A block of type " + type + " is missing: " + e.getMessage());
    }
    if (BlockHeader.type(header) != type) {
      throw AllocationDamage.at(
          Reference.address(reference),
          "A block of type " + BlockHeader.type(header) + " is where one of " + type + " belongs");
    }
    free(stripe, reference, header);
  }

  private void free(int stripe, long reference, long header) {
    int generation = BlockHeader.generation(header);
    noteObject(header);
    journal.reserve();
    journal.changing++;
    memory.putLong(stripe, Reference.address(reference), BlockHeader.freed(generation));
    journal.add(UndoJournal.FREE, reference);
    journal.changing--;
  }

  /** Notes that an object is freed or changed, so that readers of objects check headers again. */
  private void noteObject(long header) {
    if (BlockHeader.type(header) >= BlockType.FIRST_USER_TYPE) {
      memory.noteFree();
    }
  }

  /**
   * Whether a word can be the header of an allocated block of a type. It does not check that a
   * block starts there, and costs one comparison.
   *
   * @param header the word at the block's address
   * @param type the type
   * @return whether it can be such a header
   */
  public static boolean looksLike(long header, int type) {
    return BlockHeader.type(header) == type
        && (header & (BlockHeader.ALLOCATED | BlockHeader.RETIRED)) == BlockHeader.ALLOCATED;
  }

  /**
   * Returns the exact size of a block's payload.
   *
   * @param reference the block
   * @return bytes
   * @throws io.everheap.error.GoneException if there is no such block
   */
  public long size(long reference) {
    return blocks.payload(Reference.address(reference), blocks.header(reference));
  }

  /**
   * Returns the exact size of a block's payload.
   *
   * @param reference the block
   * @param header that {@link #header} or {@link #find} returned for it
   * @return bytes
   */
  public long size(long reference, long header) {
    return blocks.payload(Reference.address(reference), header);
  }

  /**
   * Returns the type of a block.
   *
   * @param reference the block
   * @return the type it was allocated with
   * @throws io.everheap.error.GoneException if there is no such block
   */
  public int type(long reference) {
    return BlockHeader.type(blocks.header(reference));
  }

  /**
   * Returns the header of a block, or 0 if there is none.
   *
   * @param reference that may be stale, or no reference at all
   * @return the word at its address, which is never 0
   */
  public long find(long reference) {
    return blocks.find(reference);
  }

  /**
   * Returns the header of a block: a word that stays the same until the block is freed or changes
   * its type, and that its place never has again afterwards.
   *
   * @param reference the block
   * @return the word at its address
   * @throws io.everheap.error.GoneException if there is no such block
   */
  public long header(long reference) {
    return blocks.header(reference);
  }

  /**
   * Returns the shape of blocks of a type and a size.
   *
   * @param type the type
   * @param payloadBytes the exact size of their payload
   * @return the shape, or null if such blocks have no slots
   */
  public @Nullable SlotShape shape(int type, long payloadBytes) {
    if (payloadBytes > SizeClasses.MAX_BYTES - Reference.HEADER_BYTES) {
      return null;
    }
    int bytes = (int) payloadBytes + Reference.HEADER_BYTES;
    int sizeClass = SizeClasses.of(bytes);
    long header = BlockHeader.allocated(0, type, SizeClasses.bytes(sizeClass) - bytes);
    return new SlotShape(kinds, sizeClass, header);
  }

  /**
   * Returns the type in a header.
   *
   * @param header that {@link #header} returned
   * @return the type of its block
   */
  public static int typeOf(long header) {
    return BlockHeader.type(header);
  }

  /**
   * Changes type and size of a block without moving it, if its slot has enough space. Its payload
   * stays as it is; added bytes have arbitrary contents.
   *
   * @param stripe the version stripe that covers the block for optimistic readers, or {@link
   *     Stripes#NONE}
   * @param reference the block
   * @param type its new type
   * @param payloadBytes the minimum size of its payload from now on; the size becomes larger if
   *     blocks of that size have smaller slots
   * @return false if the block would have to move; then nothing is changed
   * @throws io.everheap.error.GoneException if there is no such block
   * @throws io.everheap.error.OutsideTransactionException outside of a transaction
   */
  public boolean retype(int stripe, long reference, int type, long payloadBytes) {
    memory.requireWriter();
    long header = blocks.header(reference);
    long address = Reference.address(reference);
    int kind = kinds.at(address);
    long slack =
        ChunkKind.isSlots(kind)
            ? SizeClasses.bytes(ChunkKind.sizeClass(kind)) - payloadBytes - Reference.HEADER_BYTES
            : -1;
    if (slack < 0) {
      return false;
    }
    int generation = BlockHeader.generation(header);
    noteObject(header);
    int maxSlack = SizeClasses.maxSlack(ChunkKind.sizeClass(kind));
    int kept = (int) Math.min(slack, maxSlack);
    memory.putLong(stripe, address, BlockHeader.allocated(generation, type, kept));
    return true;
  }

  /**
   * Checks that a reference names a block.
   *
   * @param reference the block
   * @throws io.everheap.error.GoneException if it does not
   */
  @SuppressWarnings("CheckReturnValue")
  public void check(long reference) {
    blocks.header(reference);
  }

  /** The bytes of free chunks that can be taken; a guess, unless the writer asks. */
  public long freeBytes() {
    return (long) table.free().size() * ChunkLayout.CHUNK_BYTES;
  }

  /**
   * Frees the empty chunks that are retained for their size class. Called inside a transaction;
   * takes effect with its commit.
   *
   * @return the number of chunks that become free
   * @throws io.everheap.error.OutsideTransactionException outside of a transaction
   */
  public int trim() {
    memory.requireWriter();
    journal.changing++;
    int released;
    try {
      released = participant.trim();
    } catch (RuntimeException e) {
      journal.changing--;
      throw e;
    }
    journal.changing--;
    return released;
  }

  /**
   * Returns the end of the last chunk that is in use. The writer lock must be held.
   *
   * @return an address, a multiple of the chunk size
   */
  public long usedEnd() {
    int chunk = table.chunks() - 1;
    while (chunk > 0 && (table.isMetadata(chunk) || table.kind(chunk) == ChunkKind.FREE)) {
      chunk--;
    }
    return ChunkLayout.address(chunk + 1);
  }

  /**
   * Lowers the capacity of the home image. Called inside a transaction; the caller truncates the
   * file after its commit and a checkpoint.
   *
   * @param capacity the new capacity, a multiple of the chunk size, from {@link #usedEnd} up to the
   *     capacity before
   * @throws io.everheap.error.OutsideTransactionException outside of a transaction
   */
  public void shrink(long capacity) {
    memory.requireWriter();
    table.readAll();
    if (capacity < usedEnd()
        || capacity > space.capacity()
        || (capacity & ChunkLayout.CHUNK_MASK) != 0) {
      throw new IllegalArgumentException(
          "The capacity cannot become " + capacity + "; it is used up to " + usedEnd());
    }
    journal.changing++;
    space.shrink(ChunkLayout.chunkOf(capacity));
    journal.changing--;
  }

  /**
   * Counts blocks and space. The caller must hold the writer lock while no transaction runs; or it
   * uses an allocator of its own, which allocates nothing, and validates the result.
   *
   * @return the counts
   */
  public AllocatorStats stats() {
    return new StatsReader(memory, table, slots).read();
  }

  /** What each chunk is used for; under the conditions of {@link #stats}. */
  public List<ChunkUse> chunkUses() {
    return new ChunkUses(memory, table, slots).read();
  }

  private long allocateLarger(int type, long bytes) {
    if (bytes < Reference.HEADER_BYTES || bytes > maxBlock(extentShift) + Reference.HEADER_BYTES) {
      throw new IllegalArgumentException(
          "A block has from 0 to "
              + maxBlock(extentShift)
              + " bytes, not "
              + (bytes - Reference.HEADER_BYTES));
    }
    if (bytes <= MAX_RUN) {
      int count = (int) ((bytes + PageLayout.PAGE_MASK) >>> PageLayout.PAGE_SHIFT);
      return pages.allocate(count, type, (count << PageLayout.PAGE_SHIFT) - (int) bytes);
    }
    int count = ChunkLayout.chunkOf(bytes + ChunkLayout.CHUNK_MASK);
    return large.allocate(count, type, (int) (ChunkLayout.address(count) - bytes));
  }

  /** Called for each chunk that is not full when the table of its extent is read. */
  private void found(int chunk, int kind) {
    if (kind == ChunkKind.PAGES) {
      pages.list(chunk);
    } else {
      slots.list(chunk, kind);
    }
  }

  private static int chunks(long capacity, int extentShift) {
    if (extentShift < HomeLayout.MIN_EXTENT_SHIFT || extentShift > HomeLayout.MAX_EXTENT_SHIFT) {
      throw new IllegalArgumentException("An extent has 2^20 to 2^30 bytes, not 2^" + extentShift);
    }
    if (!ChunkLayout.isCapacity(capacity)) {
      throw AllocationDamage.at(HomeLayout.CAPACITY_ADDRESS, "The capacity is " + capacity);
    }
    return ChunkLayout.chunkOf(capacity);
  }
}
