package io.everheap.benchmarks.tx;

import com.intel.pmem.llpl.TransactionalHeap;
import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.medium.PmdkEnvironment;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A temporary heap of LLPL, Intel's library for persistent memory, over its native library {@code
 * libpmemobj}, which treats its files as persistent memory.
 */
final class LlplHeap implements AutoCloseable {
  private static final long POOL_BYTES = 256L << 20;

  private final Path directory;
  private final TransactionalHeap heap;

  LlplHeap(Path parent) throws IOException {
    PmdkEnvironment.forceCacheLineWriteBack();
    directory = Directories.create(parent);
    heap = TransactionalHeap.createHeap(directory.resolve("pool").toString(), POOL_BYTES);
  }

  TransactionalHeap heap() {
    return heap;
  }

  /** LLPL cannot close a heap; the process is about to end. */
  @Override
  public void close() throws IOException {
    Directories.delete(directory);
  }
}
