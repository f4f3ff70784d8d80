package io.everheap.cli;

import io.everheap.Backups;
import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.encryption.KeyProvider;
import io.everheap.journal.JournalBackups;
import io.everheap.journal.JournalBuilder;
import io.everheap.store.ShardedStoreBuilder;
import io.everheap.store.StoreBackups;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments of commands that read a heap. */
final class HeapArguments {
  @Parameters(index = "0", paramLabel = "DIR", description = "The directory of the heap.")
  private Path directory;

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  @Mixin private KeyOptions keys;

  Path directory() {
    return directory;
  }

  boolean json() {
    return json;
  }

  /** Opens the heap without changing a byte of it; the log is replayed in memory only. */
  Heap open() {
    return builder().readOnly().open();
  }

  /** The settings for opening the heap, with its key if one was given. */
  HeapBuilder builder() {
    return builder(directory);
  }

  /** The same for another heap. */
  HeapBuilder builder(Path heap) {
    return keys.apply(Heap.builder(heap));
  }

  /** The backups in a directory, encrypted if a key was given. */
  Backups backups(Path directory) {
    return keys.backups(directory);
  }

  /** The backups of journals in a directory, encrypted if a key was given. */
  JournalBackups journalBackups(Path directory) {
    return keys.journalBackups(directory);
  }

  /** Prepares to open the directory as a journal, with its key if one was given. */
  JournalBuilder journal() {
    return keys.journal(directory);
  }

  /** Prepares to open the directory as a store, with its key if one was given. */
  ShardedStoreBuilder store() {
    return keys.store(directory);
  }

  /** The backups of stores in a directory, encrypted if a key was given. */
  StoreBackups storeBackups(Path directory) {
    return keys.storeBackups(directory);
  }

  /** Where the key comes from; null if no option was given. */
  @Nullable KeyProvider key() {
    return keys.provider();
  }
}
