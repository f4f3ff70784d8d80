package io.everheap.block;

import io.everheap.block.store.BlockList;
import io.everheap.block.store.BlockSecrets;
import io.everheap.block.store.BlockStore;
import io.everheap.engine.RegionFile;
import io.everheap.engine.alloc.Allocator;
import io.everheap.stability.Stable;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

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
 * <p>A handle is valid for the heap that returned it, whenever the heap is opened again and
 * wherever it is copied to. Any other number is refused, even the handle of another heap: with a
 * probability of at most the size of the heap in bytes divided by 2^68, for 16 GiB 1 in 2^34, it is
 * taken for a handle of this heap, and then leads to a raw block, never to anything else. Two
 * copies of one heap cannot tell their handles apart.
 *
 * <p>Only {@link Block#free} frees a block, so allocate it and store its handle in one transaction:
 * a crash in between would leave a block that nothing leads to, which only {@link #all} and {@code
 * Heap.verify} find. A new block is all zeros. Its size is kept in a header of 8 bytes that every
 * block of the heap has. Sizes are rounded up to one of eight per doubling ({@link #footprint}), so
 * there are no size classes to register.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.9
 */
@Stable
public final class Blocks {
  /** Calls the package-private constructors for the rest of the library. */
  private static final class Secrets extends BlockSecrets {
    @Override
    public Blocks blocks(BlockStore store) {
      return new Blocks(store);
    }

    @Override
    public Block block(BlockStore store, long reference) {
      return new Block(store, false, reference, store.size(reference));
    }

    @Override
    public UnloggedRegion region(String name, RegionFile file) {
      return new UnloggedRegion(name, file);
    }
  }

  static {
    BlockSecrets.install(new Secrets());
  }

  private final BlockStore store;

  Blocks(BlockStore store) {
    this.store = store;
  }

  /**
   * Allocates a block of zeros, in the running transaction or one of its own.
   *
   * @param bytes its size, from 0 to {@link #maxSize}
   * @throws IllegalArgumentException if the size is not allowed
   * @throws io.everheap.error.FullException if the heap's size limit is reached
   * @throws io.everheap.error.DiskFullException if the disk is full
   */
  public Block allocate(long bytes) {
    return allocate(bytes, range -> {});
  }

  /**
   * Allocates and initializes a block, in the running transaction or one of its own; bytes that are
   * not initialized are zero. Nothing is allocated if the initializer throws.
   *
   * @param bytes its size, from 0 to {@link #maxSize}
   * @param initializer writes to the block, directly to its memory, since no other thread can see
   *     it yet
   */
  public Block allocate(long bytes, Consumer<? super BlockRange> initializer) {
    return allocate(bytes, initializer, false);
  }

  /** Like {@link #allocate(long)}, but returns a compact accessor; the block is an ordinary one. */
  public Block allocateCompact(long bytes) {
    return allocate(bytes, range -> {}, true);
  }

  /** Like {@link #allocate(long, Consumer)}, but returns a compact accessor. */
  public Block allocateCompact(long bytes, Consumer<? super BlockRange> initializer) {
    return allocate(bytes, initializer, true);
  }

  private Block allocate(long bytes, Consumer<? super BlockRange> initializer, boolean compact) {
    Objects.requireNonNull(initializer, "initializer");
    Block[] made = new Block[1];
    store.transact(
        () -> {
          Block block = new Block(store, compact, store.allocate(bytes), bytes);
          BlockRange range = new BlockRange(store, block.block(), 0, bytes, true);
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
   * Returns an accessor to the block with this handle.
   *
   * @throws io.everheap.error.GoneException if there is no such block
   */
  public Block at(long handle) {
    return new Block(store, false, store.reference(handle), store.sizeOf(handle));
  }

  /** Like {@link #at}, but returns a compact accessor. */
  public Block compactAt(long handle) {
    return new Block(store, true, store.reference(handle), store.sizeOf(handle));
  }

  /** Returns an accessor that moves from block to block; it stands at no block yet. */
  public BlockCursor cursor() {
    return new BlockCursor(store, false);
  }

  /** Like {@link #cursor}, but returns a compact accessor. */
  public BlockCursor compactCursor() {
    return new BlockCursor(store, true);
  }

  /** Whether there is a block with this handle; any number may be passed. */
  public boolean isValid(long handle) {
    return store.isThere(store.reference(handle));
  }

  /**
   * Returns all raw blocks, also those that are roots, in the order of their places in the heap. A
   * program can find blocks here whose handles it lost: those that it does not reach from its
   * roots. {@link io.everheap.Heap#verify} lists blocks whose handle is nowhere in the heap.
   *
   * <p>The stream reads the heap while it is used; it looks at all blocks of the heap, raw or not,
   * about 256 KiB at a time. A block that exists from the beginning to the end of the stream is in
   * it once. A block that is allocated or freed in between may be missing, and a freed one may be
   * in it, where its accessor throws. In {@link io.everheap.Heap#read} or in a transaction it is
   * exact; in a transaction, parts of the heap with damaged tables are left out. Freeing its blocks
   * is allowed.
   *
   * @return a sequential stream of accessors, whose terminal operation throws {@link
   *     io.everheap.error.ClosedException} after the heap was closed, and {@link
   *     io.everheap.error.CorruptException} if tables of the heap are damaged
   * @throws io.everheap.error.ClosedException if the heap is closed
   */
  public Stream<Block> all() {
    store.tx.requireReadable();
    BlockList list = new BlockList(store);
    int features = Spliterator.DISTINCT | Spliterator.NONNULL;
    return StreamSupport.stream(
        new Spliterators.AbstractSpliterator<Block>(Long.MAX_VALUE, features) {
          @Override
          public boolean tryAdvance(Consumer<? super Block> action) {
            Objects.requireNonNull(action, "action");
            boolean there = list.advance();
            if (there) {
              action.accept(new Block(store, false, list.reference(), list.size()));
            }
            return there;
          }
        },
        false);
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
   * Returns how many bytes of the heap a block takes with its header: up to 128 bytes the next
   * multiple of 16, above at most an eighth more than its size, above 8 KiB whole pages of 4 KiB,
   * and above 128 KiB whole chunks of 256 KiB.
   *
   * @param bytes size of the block, from 0 on
   */
  public static long footprint(long bytes) {
    return Allocator.footprint(bytes);
  }
}
