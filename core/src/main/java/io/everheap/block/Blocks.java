package io.everheap.block;

import io.everheap.engine.HeapContext;
import io.everheap.engine.alloc.Allocator;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Raw blocks of a heap: allocated here, found again by their handles.
 *
 * <pre>{@code
 * Blocks blocks = heap.blocks();
 * Block root = heap.block("root", 8);
 * heap.transact(() -> {
 *   Block node = blocks.allocate(24, range -> range.setLong(0, 42));
 *   root.setLong(0, node.handle());
 * });
 * }</pre>
 *
 * <p>A handle is good for the heap that gave it out, whenever that is opened again and wherever it
 * is copied to. A number that is none of this heap's is refused, also if it is the handle of
 * another heap: it is taken for a block of this one with a probability of at most the size of the
 * heap in bytes divided by 2^68, for 16 GiB 1 in 2^34, and then leads to that block, never to
 * anything else of the heap. Two copies of one heap cannot tell their handles apart.
 *
 * <p>Nothing frees a block but {@link Block#free}: allocate and store the handle in one
 * transaction, or a crash in between leaves a block that nothing leads to. A new block is all
 * zeros. Its size is kept with it, in a header of 8 bytes that every block of the heap has; sizes
 * are rounded up to one of eight per doubling ({@link #footprint}), so there are no classes to
 * register and none to lose.
 *
 * <p>Safe for use by many threads.
 */
public final class Blocks {
  private final BlockStore store;

  Blocks(BlockStore store) {
    this.store = store;
  }

  /** For use by the heap. */
  public static Blocks of(HeapContext heap) {
    return new Blocks(new BlockStore(heap));
  }

  /**
   * An accessor to the block that a reference leads to. For use by the library.
   *
   * @throws io.everheap.error.StaleReferenceException if there is no such block
   */
  public static Block at(HeapContext heap, long reference) {
    BlockStore store = new BlockStore(heap);
    return new Block(store, false, reference, store.size(reference));
  }

  /**
   * Allocates a block of zeros, in the running transaction or one of its own.
   *
   * @param bytes its size, from 0 to {@link #maxSize}
   * @throws IllegalArgumentException if the size is not allowed
   * @throws io.everheap.error.HeapFullException if the heap's size limit is reached
   * @throws io.everheap.error.DiskFullException if the disk is full
   */
  public Block allocate(long bytes) {
    return allocate(bytes, range -> {});
  }

  /**
   * Allocates a block and has it initialized, in the running transaction or one of its own; what is
   * not initialized is zero. Nothing is allocated if the initializer throws.
   *
   * @param bytes its size, from 0 to {@link #maxSize}
   * @param initializer writes to the block, at the speed of memory: nobody else can see it yet
   */
  public Block allocate(long bytes, Consumer<? super BlockRange> initializer) {
    return allocate(bytes, initializer, false);
  }

  /** Like {@link #allocate(long)}, and returns a compact accessor; the block is the same. */
  public Block allocateCompact(long bytes) {
    return allocate(bytes, range -> {}, true);
  }

  /** Like {@link #allocate(long, Consumer)}, and returns a compact accessor. */
  public Block allocateCompact(long bytes, Consumer<? super BlockRange> initializer) {
    return allocate(bytes, initializer, true);
  }

  private Block allocate(long bytes, Consumer<? super BlockRange> initializer, boolean compact) {
    Objects.requireNonNull(initializer, "initializer");
    Block[] made = new Block[1];
    store.transact(
        () -> {
          Block block = new Block(store, compact, store.allocate(bytes), bytes);
          BlockRange range = new BlockRange(block, 0, bytes, true);
          try {
            initializer.accept(range);
          } finally {
            range.end();
          }
          made[0] = block;
        });
    return made[0];
  }

  /**
   * An accessor to the block with this handle.
   *
   * @throws io.everheap.error.StaleReferenceException if there is no such block
   */
  public Block at(long handle) {
    return new Block(store, false, store.reference(handle), store.sizeOf(handle));
  }

  /** Like {@link #at}, a compact accessor. */
  public Block compactAt(long handle) {
    return new Block(store, true, store.reference(handle), store.sizeOf(handle));
  }

  /** An accessor that stands nowhere yet and moves from block to block. */
  public BlockCursor cursor() {
    return new BlockCursor(store, false);
  }

  /** Like {@link #cursor}, a compact accessor. */
  public BlockCursor compactCursor() {
    return new BlockCursor(store, true);
  }

  /** Whether there is a block with this handle. Any number may be asked for. */
  public boolean isValid(long handle) {
    return store.isThere(store.reference(handle));
  }

  /** Frees the block with this handle: see {@link Block#free}. */
  public void free(long handle) {
    at(handle).free();
  }

  /** The largest block of this heap, in bytes. */
  public long maxSize() {
    return store.allocator.maxBlock();
  }

  /**
   * How much of the heap a block takes: at most an eighth more than its size above 128 bytes, with
   * its header; the next multiple of 16 below; whole pages of 4 KiB above 8 KiB, and chunks of 256
   * KiB above 128 KiB.
   *
   * @param bytes size of the block, from 0 on
   */
  public static long footprint(long bytes) {
    return Allocator.footprint(bytes);
  }
}
