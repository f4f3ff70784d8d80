package io.everheap;

import io.everheap.report.CollectProgress;
import io.everheap.report.CollectReport;
import io.everheap.report.VerifyProgress;
import io.everheap.report.VerifyReport;

/**
 * What keeps a heap durable, sound and small. Only the library implements it.
 *
 * <p>Thread-safe.
 */
public interface Upkeep {
  /** Waits until everything visible now survives power loss. */
  void sync();

  /** Brings the home image up to date, so that the next opening has nothing to replay. */
  void checkpoint();

  /**
   * Gives free space at the end of the home image back to the file system. It waits for a
   * collection that runs: that one looks at the space that would be gone.
   *
   * @return bytes given back
   * @throws IllegalStateException inside a transaction, a read, or a collection
   */
  long shrink();

  /**
   * Checks everything that a reader could, without changing anything: the newest superblock (both,
   * if the heap is open for reading only), the allocator's tables and every block, every structure
   * of every root, and that all entries decode. The log was checked when the heap was opened. On an
   * ordinary file system every page of the home image is compared with its checksum before that,
   * without making others wait; byte-addressable media have no page checksums.
   *
   * <p>Other threads' transactions wait meanwhile; readers do not. It takes memory of 1/128 of the
   * bytes in use, whatever the number of blocks, twice that if it has to find out whose a damaged
   * place is, and as much as the largest value.
   *
   * @throws IllegalStateException inside a transaction, whose changes are not in place yet, or a
   *     read
   */
  default VerifyReport verify() {
    return verify(VerifyProgress.NONE);
  }

  /**
   * Like {@link #verify()}, and tells how far it is.
   *
   * @param progress is called by this thread
   * @throws IllegalStateException inside a transaction or a read
   */
  VerifyReport verify(VerifyProgress progress);

  /**
   * Frees objects and structures that {@link Heap#create} made and nothing leads to any more: no
   * root, and no object or structure that a root leads to. Cycles are no obstacle. Raw blocks are
   * left alone, since nothing tells what leads to them.
   *
   * <p>Other threads read and write meanwhile: what counts is the state when this begins, and what
   * was made or stored since then stays. So link a new object in the transaction that makes it. An
   * object that only handles of the program lead to is garbage; if it is freed, they throw {@link
   * io.everheap.error.StaleReferenceException}, and it can no longer be stored.
   *
   * <p>It takes memory of up to 1/25 of the bytes in use, and for what transactions overwrite while
   * it looks for references: see {@link HeapBuilder#collectMemory}. A crash at any time leaves
   * nothing but garbage for another collection. One runs at a time; a second one waits for it. An
   * interrupt ends it early, and is kept.
   *
   * @return what was freed
   * @throws io.everheap.error.CorruptHeapException if it meets what it cannot interpret; then
   *     nothing was freed, for that might still be in use
   * @throws io.everheap.error.ReadOnlyHeapException if the heap is open for reading only
   * @throws IllegalStateException inside a transaction or a read
   */
  default CollectReport collect() {
    return collect(CollectProgress.NONE);
  }

  /**
   * Like {@link #collect()}, and tells how far it is.
   *
   * @param progress is called by this thread, which may use the heap in it; what it throws ends the
   *     collection and passes
   */
  CollectReport collect(CollectProgress progress);

  /**
   * Sizes and counts, right now: while a transaction of another thread runs, those of what is
   * committed. Does not wait for it.
   */
  HeapStats stats();
}
