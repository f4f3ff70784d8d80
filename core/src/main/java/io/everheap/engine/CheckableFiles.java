package io.everheap.engine;

import io.everheap.engine.home.PageDamage;
import java.util.List;
import java.util.function.Consumer;

/** The files of an open heap, for what checks them. Safe for use by many threads. */
public interface CheckableFiles {
  /**
   * Reads the home file and reports every page that is not what the last checkpoint wrote.
   * Transactions go on. On a byte-addressable medium pages have no checksums.
   *
   * @param findings called in this thread; must not use the heap
   */
  void scrub(Consumer<PageDamage> findings);

  /** What is wrong with the superblocks, as far as they can be checked while the heap is open. */
  List<FileCheck.Finding> superblocks();

  /** Names of the regions that there are. */
  List<String> regions();

  /**
   * Size of a region.
   *
   * @throws io.everheap.error.CorruptHeapException if its file is damaged
   */
  long regionSize(String name);

  /** What opening the heap found. */
  RecoveryReport recovery();
}
