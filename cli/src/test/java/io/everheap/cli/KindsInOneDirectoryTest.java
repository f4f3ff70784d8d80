package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Backups;
import io.everheap.Heap;
import io.everheap.cache.BlockCache;
import io.everheap.error.EverheapException;
import io.everheap.error.ForeignException;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBackups;
import io.everheap.store.ShardedStore;
import io.everheap.store.StoreBackups;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each kind of data refuses the directory of each other kind, and changes nothing there. */
@Campaign
class KindsInOneDirectoryTest {
  enum Kind {
    HEAP,
    JOURNAL,
    STORE,
    CACHE,
    HEAP_BACKUPS,
    JOURNAL_BACKUPS,
    STORE_BACKUPS;

    private boolean isBackups() {
      return this == HEAP_BACKUPS || this == JOURNAL_BACKUPS || this == STORE_BACKUPS;
    }
  }

  @TempDir private Path temporary;

  private static List<Arguments> pairs() {
    List<Arguments> pairs = new ArrayList<>();
    for (Kind first : Kind.values()) {
      for (Kind second : Kind.values()) {
        if (first != second && !(first.isBackups() && second.isBackups())) {
          pairs.add(Arguments.of(first, second));
        }
      }
    }
    return pairs;
  }

  /** Opens or makes one, and closes it. */
  private void open(Kind kind, Path directory) {
    Path source = temporary.resolve("source of " + kind);
    switch (kind) {
      case HEAP -> Heap.open(directory).close();
      case JOURNAL -> {
        try (Journal journal = Journal.builder(directory).segmentSize(1 << 20).open()) {
          journal.append(new byte[1]);
        }
      }
      case STORE -> ShardedStore.builder(directory).shards(1).open().close();
      case CACHE -> BlockCache.builder(directory, 8 << 20).open().close();
      case HEAP_BACKUPS -> {
        try (Heap heap = Heap.open(source)) {
          Backups.in(directory).take(heap);
        }
      }
      case JOURNAL_BACKUPS -> {
        try (Journal journal = Journal.builder(source).segmentSize(1 << 20).open()) {
          JournalBackups.in(directory).take(journal);
        }
      }
      case STORE_BACKUPS -> {
        try (ShardedStore store = ShardedStore.builder(source).shards(1).open()) {
          StoreBackups.in(directory).take(store);
        }
      }
    }
  }

  private static Map<String, Long> files(Path directory) throws IOException {
    Map<String, Long> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String name = directory.relativize(file).toString();
        if (!name.equals("lock") && !name.equals("owner")) {
          files.put(name, Files.getLastModifiedTime(file).toMillis() ^ Files.size(file));
        }
      }
    }
    return files;
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void noKindUsesTheDirectoryOfAnother(Kind first, Kind second) throws IOException {
    Path directory = temporary.resolve("shared");
    open(first, directory);
    Map<String, Long> before = files(directory);
    assertThatThrownBy(() -> open(second, directory))
        .isInstanceOf(EverheapException.class)
        .isInstanceOf(ForeignException.class);
    assertThat(files(directory)).isEqualTo(before);
    open(first, directory);
  }
}
