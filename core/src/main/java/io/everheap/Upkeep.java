package io.everheap;

import io.everheap.report.CollectProgress;
import io.everheap.report.CollectReport;
import io.everheap.report.VerifyProgress;
import io.everheap.report.VerifyReport;
import io.everheap.stability.Stable;

/**
 * The maintenance of a heap: making it durable, checking it, reclaiming space. Only the library
 * implements it.
 *
 * <p>Thread-safe.
 *
 * @since 0.9
 */
@Stable
public interface Upkeep {
  /** Waits until everything visible now survives power loss. */
  void sync();

  /** Writes all committed changes to the home image, so that the next opening replays nothing. */
  void checkpoint();

  /**
   * Gives free space at the end of the home image back to the file system. It waits for a running
   * collection, which reads that space.
   *
   * @return bytes given back
   * @throws IllegalStateException inside a transaction, a read, or a collection
   */
  long shrink();

  /**
   * Checks everything that a reader could, without changing anything: the newest superblock (both,
   * if the heap is open for reading only), the allocator's tables and every block, every structure
   * of every root, and that all entries decode. The log was checked when the heap was opened. On an
   * ordinary file system every page of the home image is first compared with its checksum, while
   * transactions go on; byte-addressable media have no page checksums.
   *
   * <p>Other threads' transactions wait meanwhile; readers do not. It takes memory of 1/128 of the
   * bytes in use, whatever the number of blocks, twice that if it must find the owner of a damaged
   * place, and as much as the largest value. If there are raw blocks that are no roots, all bytes
   * in use are read once more, to find their handles.
   *
   * @throws IllegalStateException inside a transaction, whose changes are not in the home image
   *     yet, or inside a read
   */
  default VerifyReport verify() {
    return verify(VerifyProgress.NONE);
  }

  /**
   * Like {@link #verify()}, and reports its progress.
   *
   * @param progress called by this thread
   * @throws IllegalStateException inside a transaction or a read
   */
  VerifyReport verify(VerifyProgress progress);

  /**
   * Frees unreachable objects and structures: those that {@link Heap#create} made and to which
   * neither a root leads, nor an object or structure that is reachable from a root. Cycles are
   * freed as well. Raw blocks are left alone, since the places of their handles are not known.
   *
   * <p>Other threads read and write meanwhile. It frees only what was unreachable when it began;
   * objects made or stored since then stay. So link a new object in the transaction that makes it.
   * An object to which only handles of the program lead is garbage; once it is freed, they throw
   * {@link io.everheap.error.GoneException}, and it can no longer be stored.
   *
   * <p>It takes memory of up to 1/25 of the bytes in use, and for copies of what transactions
   * overwrite while it marks: see {@link HeapBuilder#collectMemory}. A crash at any time leaves the
   * remaining garbage to the next collection. One collection runs at a time; a second one waits for
   * it. An interrupt ends a collection early; the thread stays interrupted.
   *
   * @return what was freed
   * @throws io.everheap.error.CorruptException if it meets damage; then nothing was freed, since it
   *     cannot be known what is in use
   * @throws io.everheap.error.ReadOnlyException if the heap is open for reading only
   * @throws IllegalStateException inside a transaction or a read
   */
  default CollectReport collect() {
    return collect(CollectProgress.NONE);
  }

  /**
   * Like {@link #collect()}, and reports its progress.
   *
   * @param progress called by this thread, and may use the heap; an exception that it throws ends
   *     the collection and is thrown to the caller
   */
  CollectReport collect(CollectProgress progress);

  /**
   * Returns the present sizes and counts. While a transaction of another thread runs, they are
   * those of the committed state; the call does not wait for it.
   */
  HeapStats stats();
}
