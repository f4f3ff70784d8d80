package io.everheap.cli;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads an export: roots, each followed by its entries. */
interface TransferReader {
  /** The next root; null at the end. */
  @Nullable ExportedRoot root() throws IOException;

  /**
   * The next entry of the root.
   *
   * @throws RefusedException if there is none: the file was cut off
   */
  TransferEntry entry(ExportedRoot root) throws IOException;
}
