package io.everheap.block;

import io.everheap.engine.HeapContext;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.bytes.HeapBytes;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptHeapException;
import io.everheap.error.EverheapException;
import io.everheap.error.StaleReferenceException;
import java.util.function.LongSupplier;

/** What all blocks of one heap share: finding, checking, and reading them consistently. */
final class BlockStore {
  private static final int ATTEMPTS = 64;

  final HeapContext heap;
  final HeapMemory memory;
  final Transactions tx;
  final Stripes stripes;
  final Allocator allocator;
  final HeapBytes bytes;
  private final Handles handles;

  BlockStore(HeapContext heap) {
    this.heap = heap;
    this.memory = heap.memory();
    this.tx = heap.transactions();
    this.stripes = heap.stripes();
    this.allocator = heap.allocator();
    this.bytes = new HeapBytes(memory);
    this.handles = Handles.of(heap);
  }

  /** The number by which programs know a block. */
  long handle(long reference) {
    return handles.handle(reference);
  }

  /** The stripe that readers of a block validate. */
  static int stripe(long reference) {
    long mixed = Reference.address(reference) * 0x9E37_79B9_7F4A_7C15L;
    return (int) (mixed >>> 40) & (Stripes.COUNT - 1);
  }

  /** The reference that a handle stands for, which leads to nothing if it is no handle. */
  long reference(long handle) {
    return handles.reference(handle);
  }

  /**
   * Size of the block that a handle names.
   *
   * @throws StaleReferenceException if there is none
   */
  long sizeOf(long handle) {
    try {
      return size(reference(handle));
    } catch (StaleReferenceException e) {
      throw new StaleReferenceException(
          "The heap at "
              + heap.location()
              + " has no block with the handle "
              + handle
              + ": it was freed, or allocated in a transaction that was rolled back, or the handle"
              + " is that of another heap. "
              + e.getMessage());
    }
  }

  /** Whether a reference leads to a block. */
  boolean isThere(long reference) {
    try {
      return size(reference) >= 0;
    } catch (StaleReferenceException e) {
      return false;
    }
  }

  /** Size of the block that a reference leads to. */
  long size(long reference) {
    int stripe = stripe(reference);
    return read(
        stripe,
        () -> {
          if (allocator.type(reference) != BlockType.RAW) {
            throw new StaleReferenceException(
                "The reference "
                    + Reference.describe(reference)
                    + " is that of another structure.");
          }
          return allocator.size(reference);
        });
  }

  /** A new block in the running transaction. */
  long allocate(long bytes) {
    return allocator.allocate(BlockType.RAW, bytes);
  }

  /** Checks that a block is there whose reference was good once. */
  void requireLive(long reference) {
    allocator.check(reference);
  }

  /** Loads what a handle leads to, so that all of it belongs to one commit. */
  long read(int stripe, LongSupplier load) {
    for (int i = 0; i < ATTEMPTS && !tx.isWriter(); i++) {
      long version = stripes.sample(stripe);
      if ((version & 1) != 0) {
        Thread.onSpinWait();
        continue;
      }
      long value;
      try {
        value = load.getAsLong();
      } catch (RuntimeException e) {
        if (e instanceof EverheapException && stripes.valid(stripe, version)) {
          tx.checkRead();
          throw e;
        }
        break; // the exclusive read sorts out why
      }
      if (stripes.valid(stripe, version)) {
        tx.checkRead();
        return value;
      }
    }
    return readExclusively(load);
  }

  private long readExclusively(LongSupplier load) {
    if (tx.isWriter()) {
      return load.getAsLong();
    }
    try {
      return tx.exclusively(
          () -> {
            long value = load.getAsLong();
            tx.checkRead();
            return value;
          });
    } catch (IndexOutOfBoundsException | NullPointerException | IllegalStateException e) {
      tx.requireReadable();
      throw new CorruptHeapException("A handle leads outside of the home image (" + e + ").");
    }
  }

  /** Runs a body as a transaction, or as part of the running one. */
  void transact(Runnable body) {
    boolean ok = false;
    tx.begin();
    try {
      body.run();
      ok = true;
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
  }
}
