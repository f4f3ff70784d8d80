package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.engine.HeapCopy;
import io.everheap.error.EncryptionException;
import io.everheap.error.LockedException;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBackups;
import io.everheap.report.Backup;
import io.everheap.report.RestorePoint;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories of backups, with archives in them, get another wrapping key. */
@Campaign
class RekeyedBackupsTest {
  private static final KeyProvider KEY = TestHeaps.key(1);
  private static final KeyProvider FRESH = TestHeaps.key(2);
  private static final KeyProvider OTHER = TestHeaps.key(3);

  @TempDir private Path dir;

  private Path backups() {
    return dir.resolve("backups");
  }

  private Backups backups(KeyProvider key) {
    return Backups.in(backups()).encrypt(key);
  }

  private Heap open(String name, KeyProvider key) {
    return TestHeaps.builder(dir.resolve(name)).encrypt(key).archive(backups()).open();
  }

  /** Two heaps with backups in one directory, and so two archives. */
  private void create() {
    for (String name : List.of("one", "two")) {
      try (Heap heap = open(name, KEY)) {
        TestHeaps.put(heap, 0, 5);
        backups(KEY).take(heap);
        TestHeaps.put(heap, 5, 8);
      }
    }
  }

  /** The files of keys: of the directory, and of each archive. */
  private List<Path> keyFiles() {
    try (Stream<Path> files = Files.walk(backups())) {
      List<Path> found = files.filter(f -> f.endsWith("keys")).sorted().toList();
      assertThat(found).hasSize(3);
      return found;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Map<Path, String> keys() {
    Map<Path, String> contents = new TreeMap<>();
    for (Path file : keyFiles()) {
      contents.put(file, text(file));
    }
    return contents;
  }

  private static String text(Path file) {
    try {
      return HexFormat.of().formatHex(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void requireHolds(String restored, KeyProvider key, int entries) {
    try (Heap heap = TestHeaps.builder(dir.resolve(restored)).encrypt(key).open()) {
      TestHeaps.assertHolds(heap, entries);
    }
  }

  private void requireRestored(KeyProvider key, String target) {
    Backups backups = backups(key);
    Backup newest = backups.newest();
    backups.restore(newest, dir.resolve(target));
    requireHolds(target, key, 5);
    backups.restore(
        newest, new RestorePoint.Newest(), dir.resolve(target + "-archive"), (_, _) -> {});
    requireHolds(target + "-archive", key, 8);
  }

  @Test
  void theNewKeyAloneOpensBackupsAndArchives() {
    create();
    Backups backups = backups(KEY);
    backups.rekey(FRESH);
    assertThat(backups.list()).as("this object uses the new key").hasSize(2);
    assertThatThrownBy(() -> backups(KEY).list()).isInstanceOf(EncryptionException.class);
    requireRestored(FRESH, "restored");
    EncryptedDirectory.rekey(dir.resolve("one"), KEY, FRESH);
    try (Heap heap = open("one", FRESH)) {
      TestHeaps.put(heap, 8, 9);
      backups.take(heap, Backup.Kind.INCREMENTAL);
    }
    backups.restore(backups.newest(), dir.resolve("later"));
    requireHolds("later", FRESH, 9);
  }

  @Test
  void theKeysOfADirectoryOfBackupsAreReplacedLikeThoseOfAHeap() {
    create();
    EncryptedDirectory.rekey(backups(), KEY, FRESH);
    requireRestored(FRESH, "restored");
  }

  @Test
  void aShreddedDirectoryLeavesNoKeyOfAnArchive() throws IOException {
    create();
    keyFiles();
    EncryptedDirectory.shred(backups());
    try (Stream<Path> files = Files.walk(backups())) {
      assertThat(files.filter(Files::isRegularFile).map(f -> f.getFileName().toString()))
          .isSubsetOf("lock", "owner");
    }
  }

  /** After an interruption each file has one of the two keys. */
  @Test
  void anInterruptedCallIsRepeated() throws IOException {
    create();
    Map<Path, String> old = keys();
    List<Path> files = List.copyOf(old.keySet());
    backups(KEY).rekey(FRESH);
    Map<Path, String> fresh = keys();
    for (int mask = 0; mask < 1 << files.size(); mask++) {
      for (int i = 0; i < files.size(); i++) {
        Path file = files.get(i);
        String content = ((mask >> i & 1) == 0 ? old : fresh).get(file);
        Files.write(file, HexFormat.of().parseHex(content));
      }
      backups(KEY).rekey(FRESH);
      for (int i = 0; i < files.size(); i++) {
        if ((mask >> i & 1) != 0) {
          assertThat(text(files.get(i))).as("left as it is").isEqualTo(fresh.get(files.get(i)));
        }
      }
      assertThat(backups(FRESH).list()).as("%s", mask).hasSize(2);
    }
    backups(OTHER).rekey(FRESH); // nothing is left to do
    requireRestored(FRESH, "restored");
  }

  @Test
  void aRefusalChangesNothing() throws IOException {
    create();
    Map<Path, String> before = keys();
    assertThatThrownBy(() -> backups(OTHER).rekey(FRESH))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("Nothing was changed");
    assertThatThrownBy(() -> Backups.in(backups()).rekey(FRESH))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("encrypt(key)");
    assertThat(keys()).isEqualTo(before);
    Path last = List.copyOf(before.keySet()).getLast();
    byte[] keys = Files.readAllBytes(last);
    backups(KEY).rekey(OTHER); // the last archive alone has another key
    byte[] foreign = Files.readAllBytes(last);
    backups(OTHER).rekey(KEY);
    Files.write(last, foreign);
    Map<Path, String> mixed = keys();
    assertThatThrownBy(() -> backups(KEY).rekey(FRESH)).isInstanceOf(EncryptionException.class);
    assertThat(keys()).isEqualTo(mixed);
    Files.write(last, keys);
    requireRestored(KEY, "restored");
  }

  /** A provider that fails for the last file must not leave the first ones with another key. */
  @Test
  void aProviderThatFailsLaterChangesNothing() {
    create();
    Map<Path, String> before = keys();
    for (int fails = 1; fails <= 3; fails++) {
      AtomicInteger left = new AtomicInteger(fails);
      KeyProvider failing =
          new KeyProvider() {
            @Override
            public byte[] wrap(byte[] dataKey, byte[] context) {
              if (left.decrementAndGet() == 0) {
                throw new IllegalStateException("made up");
              }
              return FRESH.wrap(dataKey, context);
            }

            @Override
            public byte[] unwrap(byte[] wrapped, byte[] context) {
              return FRESH.unwrap(wrapped, context);
            }
          };
      assertThatThrownBy(() -> backups(KEY).rekey(failing)).hasMessageContaining("made up");
      assertThat(keys()).isEqualTo(before);
    }
    requireRestored(KEY, "restored");
  }

  @Test
  void aHeapThatIsArchivedIsClosedFirst() {
    create();
    Map<Path, String> before = keys();
    try (Heap heap = open("two", KEY)) {
      assertThatThrownBy(() -> backups(KEY).rekey(FRESH)).isInstanceOf(LockedException.class);
      assertThat(keys()).isEqualTo(before);
      TestHeaps.put(heap, 8, 9);
    }
    backups(KEY).rekey(FRESH);
  }

  @Test
  void aHeapWhoseArchiveHasTheOldKeyIsNotOpenedAndNotChanged() {
    create();
    EncryptedDirectory.rekey(dir.resolve("one"), KEY, FRESH);
    Map<String, String> before = TestHeaps.data(dir.resolve("one"));
    assertThatThrownBy(() -> open("one", FRESH))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("still wrapped with the old key")
        .hasMessageContaining("everheap rekey " + backups() + " --key OLD --new-key NEW");
    assertThat(TestHeaps.data(dir.resolve("one"))).isEqualTo(before);
    backups(KEY).rekey(FRESH);
    try (Heap heap = open("one", FRESH)) {
      TestHeaps.assertHolds(heap, 8);
    }
  }

  /** The same after a crash: not even the log is recovered. */
  @Test
  void aHeapThatWasNotClosedIsNotChangedByThatRefusalEither() {
    create();
    try (Heap heap = open("one", KEY)) {
      TestHeaps.put(heap, 8, 12);
      HeapCopy.killed(dir.resolve("one"), dir.resolve("crashed"));
    }
    Path crashed = dir.resolve("crashed");
    EncryptedDirectory.rekey(crashed, KEY, FRESH);
    Map<String, String> before = TestHeaps.data(crashed);
    assertThatThrownBy(() -> open("crashed", FRESH)).isInstanceOf(EncryptionException.class);
    assertThat(TestHeaps.data(crashed)).isEqualTo(before);
    backups(KEY).rekey(FRESH);
    requireHolds("crashed", FRESH, 12);
  }

  @Test
  void backupsOfJournalsAreRekeyed() {
    Path place = dir.resolve("journal");
    JournalBackups backups = JournalBackups.in(dir.resolve("to")).encrypt(KEY);
    try (Journal journal = Journal.builder(place).encrypt(KEY).open()) {
      journal.append(new byte[] {1, 2, 3});
      backups.take(journal);
      assertThatThrownBy(() -> JournalBackups.in(dir.resolve("to")).encrypt(OTHER).rekey(FRESH))
          .isInstanceOf(EncryptionException.class);
      backups.rekey(FRESH);
      journal.append(new byte[] {4});
      backups.take(journal, Backup.Kind.INCREMENTAL);
    }
    assertThatThrownBy(() -> JournalBackups.in(dir.resolve("to")).encrypt(KEY).list())
        .isInstanceOf(EncryptionException.class);
    backups.restore(backups.newest(), dir.resolve("restored"));
    try (Journal journal = Journal.builder(dir.resolve("restored")).encrypt(FRESH).open()) {
      assertThat(journal.nextSequence()).isEqualTo(2);
    }
  }

  /** A service that returns another key than it wrapped: wrapped again, nothing could be read. */
  @Test
  void aKeyThatOpensNoFileIsNotWrappedAgain() {
    create();
    KeyProvider errs =
        new KeyProvider() {
          @Override
          public byte[] wrap(byte[] dataKey, byte[] context) {
            return KEY.wrap(dataKey, context);
          }

          @Override
          public byte[] unwrap(byte[] wrapped, byte[] context) {
            byte[] key = KEY.unwrap(wrapped, context);
            key[7] ^= 1;
            return key;
          }
        };
    Map<String, String> heap = TestHeaps.data(dir.resolve("one"));
    assertThatThrownBy(() -> EncryptedDirectory.rekey(dir.resolve("one"), errs, FRESH))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("opens none of the files");
    assertThat(TestHeaps.data(dir.resolve("one"))).isEqualTo(heap);
    Map<Path, String> before = keys();
    assertThatThrownBy(() -> backups(errs).rekey(FRESH)).isInstanceOf(EncryptionException.class);
    assertThat(keys()).isEqualTo(before);
    requireHolds("one", KEY, 8);
  }
}
