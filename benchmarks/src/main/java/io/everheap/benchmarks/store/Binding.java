package io.everheap.benchmarks.store;

import java.io.IOException;
import java.nio.file.Path;

/** Opens a peer's store. Has a public constructor without parameters. */
@FunctionalInterface
public interface Binding {
  /**
   * The parameters of an opening.
   *
   * @param directory where it is, or will be; exists
   * @param mode what a completed write survives
   * @param bulk whether writes need not be durable before {@link Store#close}
   * @param records about how many there will be
   * @param valueBytes of a record, without its key
   */
  record Opening(Path directory, Mode mode, boolean bulk, long records, int valueBytes) {}

  /**
   * Opens the store, and creates it if there is none.
   *
   * @param opening how
   * @throws IOException if that fails
   */
  Store open(Opening opening) throws IOException;
}
