package io.everheap.it;

import io.everheap.Backups;
import io.everheap.EncryptedDirectory;
import io.everheap.Heap;
import io.everheap.cache.BlockCache;
import io.everheap.cache.DurableCache;
import io.everheap.codec.Codecs;
import io.everheap.encryption.KeyProvider;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBackups;
import io.everheap.report.Backup;
import io.everheap.store.ShardedStore;
import java.nio.file.Path;

/** Makes files of every kind below a directory, for {@link CreatedFilesTest}. */
public final class CreatedFilesProgram {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final KeyProvider OTHER =
      KeyProvider.of(
          new byte[] {
            1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
            25, 26, 27, 28, 29, 30, 31, 32
          });

  private CreatedFilesProgram() {}

  /**
   * Runs.
   *
   * @param arguments the directory
   */
  public static void main(String[] arguments) {
    Path in = Path.of(arguments[0]);
    heaps(in);
    journals(in);
    try (BlockCache cache = BlockCache.builder(in.resolve("cache"), 8 << 20).open()) {
      cache.put(new byte[] {1}, new byte[100]);
    }
    try (var cache =
        DurableCache.builder(in.resolve("objects"), 8 << 20, Codecs.STRING, Codecs.STRING)
            .blocks(blocks -> blocks.encrypt(KEY))
            .open()) {
      cache.put("a", "b");
    }
    try (ShardedStore store = ShardedStore.builder(in.resolve("store")).shards(2).open()) {
      store.map("m", String.class, Long.class).put("a", 1L);
      store.backup(in.resolve("store-backups"));
    }
    ShardedStore.restore(in.resolve("store-backups"), in.resolve("store-restored"));
    System.out.println("ok");
  }

  private static void heaps(Path in) {
    Backups backups = Backups.in(in.resolve("backups"));
    try (Heap heap =
        Heap.builder(in.resolve("heap")).logSize(16 << 20).archive(in.resolve("archive")).open()) {
      heap.map("m", String.class, Long.class).put("a", 1L);
      heap.region("r", 1 << 16);
      heap.checkpoint();
      backups.take(heap);
      heap.map("m", String.class, Long.class).put("b", 2L);
      backups.take(heap, Backup.Kind.INCREMENTAL);
    }
    backups.restore(backups.newest(), in.resolve("restored"));
    try (Heap heap = Heap.builder(in.resolve("encrypted")).encrypt(KEY).open()) {
      heap.map("m", String.class, Long.class).put("a", 1L);
      Backups.in(in.resolve("encrypted-backups")).encrypt(KEY).take(heap);
    }
    EncryptedDirectory.rekey(in.resolve("encrypted"), KEY, OTHER);
  }

  private static void journals(Path in) {
    try (Journal journal =
        Journal.builder(in.resolve("journal")).segmentSize(64 << 10).timestamps().open()) {
      for (int i = 0; i < 300; i++) {
        journal.append(new byte[1000]); // several segments
      }
      journal.backup(in.resolve("journal-backups"));
    }
    JournalBackups backups = JournalBackups.in(in.resolve("journal-backups"));
    backups.restore(backups.newest(), in.resolve("journal-restored"));
  }
}
