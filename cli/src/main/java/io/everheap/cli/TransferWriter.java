package io.everheap.cli;

import java.io.IOException;

/** Writes an export: roots, each followed by its entries. */
interface TransferWriter {
  /** Begins a root. */
  void root(ExportedRoot root) throws IOException;

  /** Writes an entry of it. */
  void entry(ExportedRoot root, Object key, Object value) throws IOException;
}
