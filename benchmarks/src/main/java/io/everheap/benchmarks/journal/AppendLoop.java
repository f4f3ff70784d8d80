package io.everheap.benchmarks.journal;

import java.io.IOException;

/** A log and the loop that appends to it. */
interface AppendLoop extends AutoCloseable {
  /** Makes room for a round. */
  void prepare() throws IOException;

  /** Appends so many records. */
  void append(long records) throws IOException;

  @Override
  void close() throws IOException;
}
