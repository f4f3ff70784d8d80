package io.everheap.benchmarks.journal;

import java.io.IOException;

/** A log and the loop that appends to it. */
public interface AppendLoop extends AutoCloseable {
  /**
   * Makes room for a round.
   *
   * @throws IOException if that fails
   */
  void prepare() throws IOException;

  /**
   * Appends so many records.
   *
   * @param records how many
   * @throws IOException if that fails
   */
  void append(long records) throws IOException;

  @Override
  void close() throws IOException;
}
