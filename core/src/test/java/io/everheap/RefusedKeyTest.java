package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBackups;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is created with a key that is not to be had leaves nothing behind: a retry succeeds. */
@Campaign
class RefusedKeyTest {
  private static final KeyProvider KEY = TestHeaps.key(1);

  @TempDir private Path dir;

  /** A provider whose n-th call fails. */
  private static final class Failing implements KeyProvider {
    private int left;

    Failing(int n) {
      left = n;
    }

    private void call() {
      if (--left == 0) {
        throw new IllegalStateException("made up");
      }
    }

    @Override
    public byte[] wrap(byte[] dataKey, byte[] context) {
      call();
      return TestHeaps.key(2).wrap(dataKey, context);
    }

    @Override
    public byte[] unwrap(byte[] wrapped, byte[] context) {
      call();
      return TestHeaps.key(2).unwrap(wrapped, context);
    }
  }

  /** Creates something at a path. */
  private interface Creation {
    void at(Path path, KeyProvider provider) throws IOException;
  }

  /** Creating calls a provider three times: it wraps, compares, and unwraps to open. */
  private void require(Creation creation) throws IOException {
    for (int n = 1; n <= 3; n++) {
      KeyProvider failing = new Failing(n);
      Path fresh = dir.resolve("a/b");
      assertThatThrownBy(() -> creation.at(fresh, failing))
          .as("%s", n)
          .hasStackTraceContaining("made up");
      assertThat(dir.resolve("a")).as("%s", n).doesNotExist();
      Path empty = Files.createDirectories(dir.resolve("empty"));
      KeyProvider again = new Failing(n);
      assertThatThrownBy(() -> creation.at(empty, again)).hasStackTraceContaining("made up");
      assertThat(empty).as("%s", n).isEmptyDirectory();
    }
    Path missing = dir.resolve("none.key");
    Path fresh = dir.resolve("a/b");
    assertThatThrownBy(() -> creation.at(fresh, KeyProvider.file(missing)))
        .hasMessageContaining("none.key");
    assertThat(dir.resolve("a")).doesNotExist();
    creation.at(fresh, KEY);
    try (Stream<Path> files = Files.list(fresh)) {
      assertThat(files.map(Path::getFileName).map(Path::toString).toList()).contains("keys");
    }
  }

  @Test
  void aHeap() throws IOException {
    require((path, key) -> TestHeaps.builder(path).encrypt(key).open().close());
  }

  @Test
  void aJournal() throws IOException {
    require((path, key) -> Journal.builder(path).encrypt(key).open().close());
  }

  @Test
  void backups() throws IOException {
    try (Heap heap = TestHeaps.open(dir.resolve("heap"))) {
      require((path, key) -> Backups.in(path).encrypt(key).take(heap));
    }
  }

  @Test
  void backupsOfJournals() throws IOException {
    try (Journal journal = Journal.open(dir.resolve("journal"))) {
      require((path, key) -> JournalBackups.in(path).encrypt(key).take(journal));
    }
  }

  @Test
  void aRestoredHeapAndJournal() throws IOException {
    Path heaps = dir.resolve("heaps");
    Path journals = dir.resolve("journals");
    KeyProvider key = KEY;
    try (Heap heap = TestHeaps.open(dir.resolve("heap"));
        Journal journal = Journal.open(dir.resolve("journal"))) {
      Backups.in(heaps).encrypt(key).take(heap);
      JournalBackups.in(journals).encrypt(key).take(journal);
    }
    // The wrapping key of the backups works, and then fails for the restored copy.
    for (int calls = 1; calls <= 12; calls++) {
      Path target = dir.resolve("target");
      for (Creation creation :
          List.<Creation>of(
              (path, fails) -> {
                Backups backups = Backups.in(heaps).encrypt(fails);
                backups.restore(backups.newest(), path);
              },
              (path, fails) -> {
                JournalBackups backups = JournalBackups.in(journals).encrypt(fails);
                backups.restore(backups.newest(), path);
              })) {
        try {
          creation.at(target, new Limited(calls));
          delete(target);
        } catch (IllegalStateException e) {
          assertThat(e).hasMessage("made up");
          assertThat(target).as("%s", calls).doesNotExist();
        }
      }
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** The key, for some calls only. */
  private static final class Limited implements KeyProvider {
    private int left;

    Limited(int calls) {
      left = calls;
    }

    private void call() {
      if (--left < 0) {
        throw new IllegalStateException("made up");
      }
    }

    @Override
    public byte[] wrap(byte[] dataKey, byte[] context) {
      call();
      return KEY.wrap(dataKey, context);
    }

    @Override
    public byte[] unwrap(byte[] wrapped, byte[] context) {
      call();
      return KEY.unwrap(wrapped, context);
    }
  }

  /** What is there already stays, whatever it is. */
  @Test
  void aDirectoryWithOtherFilesStays() throws IOException {
    Path used = Files.createDirectories(dir.resolve("used"));
    Files.writeString(used.resolve("thesis"), "mine");
    assertThatThrownBy(() -> TestHeaps.builder(used).encrypt(KEY).open())
        .hasMessageContaining("thesis");
    assertThat(used.resolve("thesis")).hasContent("mine");
  }
}
