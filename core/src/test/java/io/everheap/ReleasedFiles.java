package io.everheap;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.everheap.collection.DurableMap;
import io.everheap.encryption.KeyProvider;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBackups;
import io.everheap.journal.JournalBuilder;
import io.everheap.journal.JournalReader;
import io.everheap.report.Backup;
import io.everheap.support.release.Release;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Makes what each release leaves for the builds after it: heaps that were closed, heaps whose
 * process was killed, journals, backups, and lists of what they hold. A file that is there is not
 * made again.
 */
public final class ReleasedFiles {
  static final String CLOSED = "closed";
  static final String KILLED = "killed";
  static final String JOURNAL = "journal";
  static final String CONTENTS = "contents";

  /** Heaps with what {@link ReleasedKinds} stores, plain and encrypted. */
  static final String KINDS = "kinds";

  static final String ENCRYPTED = "encrypted";
  static final String BACKUPS = "backups";
  static final String JOURNAL_BACKUPS = "journal-backups";

  /** Entries of {@link #numbers} in the full backup, the incremental ones, and the archive. */
  static final int[] STAGES = {100, 130, 160, 190, 200};

  static final int SECRETS = 4;

  /** Text that no file of an encrypted directory has. */
  static final String SECRET = "secret ";

  private static final int LOG = 16 << 20;

  private final Path to;
  private final Path work;
  private final KeyProvider key;

  private ReleasedFiles(Path to) throws IOException {
    this.to = Files.createDirectories(to);
    this.work = Files.createTempDirectory("release");
    this.key = KeyProvider.of(Release.keyIn(to));
  }

  /**
   * Makes those that are missing.
   *
   * @param arguments the directory of the release
   */
  public static void main(String[] arguments) throws Exception {
    var files = new ReleasedFiles(Path.of(arguments[0]));
    files.makeHeaps();
    files.makeKinds();
    files.makeEncrypted();
    files.makeJournals();
    files.makeBackups();
  }

  /** Makes a zip file of a directory. */
  @FunctionalInterface
  private interface Maker {
    void make(Path directory, Path zip) throws IOException;
  }

  /** Calls a maker unless the zip file is there. */
  private void make(String name, Maker maker) throws IOException {
    Path zip = to.resolve(name + ".zip");
    if (!Files.exists(zip)) {
      maker.make(work.resolve(name), zip);
    }
  }

  private void list(String name, Map<String, String> contents) throws IOException {
    Path text = to.resolve(name + ".txt");
    if (!Files.exists(text)) {
      Release.write(contents, text);
    }
  }

  // ---- Heaps --------------------------------------------------------------------------------

  private void makeHeaps() throws IOException {
    make(
        CLOSED,
        (directory, zip) -> {
          try (Heap heap = Heap.builder(directory).logSize(16 << 20).open()) {
            new EveryRead(heap);
            list(CONTENTS, contents(heap));
          }
          Release.zip(directory, zip);
        });
    make(
        KILLED,
        (directory, zip) -> {
          try (Heap heap = Heap.builder(directory).logSize(16 << 20).open()) {
            new EveryRead(heap);
            heap.checkpoint();
            heap.map("words", Long.class, Long.class).put(1_000L, 1L); // only in the log
            Release.zip(directory, zip);
          }
        });
  }

  private HeapBuilder builder(Path directory, boolean encrypted) {
    HeapBuilder builder = Heap.builder(directory).logSize(LOG);
    return encrypted ? builder.encrypt(key) : builder;
  }

  /** The heap whose process was killed has nothing but its log: no checkpoint was made. */
  private void makeKinds() throws IOException {
    make(
        KINDS + "-" + CLOSED,
        (directory, zip) -> {
          try (Heap heap = builder(directory, false).open()) {
            new ReleasedKinds(heap).fill();
            list(KINDS, ReleasedKinds.contents(heap));
          }
          Release.zip(directory, zip);
        });
    make(
        KINDS + "-" + KILLED,
        (directory, zip) -> {
          try (Heap heap = builder(directory, false).open()) {
            new ReleasedKinds(heap).fill();
            Release.zip(directory, zip);
          }
        });
  }

  /**
   * One encrypted heap at two times: closed, then opened and killed after a checkpoint and more
   * commits. Its bytes do not shrink when they are packed, so the heap is as small as it can be,
   * and the second file has what changed.
   */
  private void makeEncrypted() throws IOException {
    Path base = work.resolve("base");
    make(
        ENCRYPTED + "-" + CLOSED,
        (directory, zip) -> {
          Path heapDirectory = work.resolve(ENCRYPTED);
          try (Heap heap = builder(heapDirectory, true).open()) {
            putSecrets(heap, 1);
            heap.shrink();
            list(ENCRYPTED, contents(heap));
          }
          Release.zip(heapDirectory, zip);
          copy(heapDirectory, base);
          try (Heap heap = builder(heapDirectory, true).open()) {
            putSecrets(heap, 2);
            heap.checkpoint();
            putSecrets(heap, 3);
            Release.zip(heapDirectory, base, to.resolve(ENCRYPTED + "-" + KILLED + ".zip"));
          }
        });
  }

  /** The map of the encrypted heaps. */
  static DurableMap<String, String> secrets(Heap heap) {
    return heap.map("secrets", String.class, String.class);
  }

  /** What a key of the encrypted heap has at a time, from 1 on. */
  static String secret(int key, int time) {
    return SECRET + key + " at " + time;
  }

  private static void putSecrets(Heap heap, int time) {
    for (int key = 0; key < SECRETS; key++) {
      secrets(heap).put("\u06f0" + key, secret(key, time));
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  // ---- Journals -----------------------------------------------------------------------------

  private void makeJournals() throws IOException {
    make(
        JOURNAL,
        (directory, zip) -> {
          try (Journal journal =
              Journal.builder(directory).segmentSize(1 << 20).timestamps().open()) {
            append(journal, 5_000);
            journal.truncateBefore(1_000);
          }
          Release.zip(directory, zip);
        });
    for (boolean encrypted : new boolean[] {false, true}) {
      String prefix = JOURNAL + (encrypted ? "-" + ENCRYPTED : "-plain");
      make(
          prefix + "-" + CLOSED,
          (directory, zip) -> {
            try (Journal journal = journal(directory, encrypted).open()) {
              fill(journal);
            }
            Release.zip(directory, zip);
          });
      make(
          prefix + "-" + KILLED,
          (directory, zip) -> {
            try (Journal journal = journal(directory, encrypted).open()) {
              fill(journal);
              Release.zip(directory, zip);
            }
          });
    }
  }

  private JournalBuilder journal(Path directory, boolean encrypted) {
    JournalBuilder builder = Journal.builder(directory).segmentSize(32 << 10).timestamps();
    return encrypted ? builder.encrypt(key) : builder;
  }

  /** Records 150 to 399, after a cut: a new epoch begins at record 350. */
  private static void fill(Journal journal) {
    append(journal, 400);
    journal.truncateAfter(349);
    append(journal, 50);
    journal.truncateBefore(150);
  }

  private static void append(Journal journal, int count) {
    for (int i = 0; i < count; i++) {
      journal.append(record((int) journal.nextSequence()).getBytes(UTF_8));
    }
  }

  // ---- Backups ------------------------------------------------------------------------------

  /**
   * A full backup, two incremental ones and an archive of the log that goes further. The text has
   * the LSN up to which the fourth stage is in the archive.
   */
  private void makeBackups() throws IOException {
    for (boolean encrypted : new boolean[] {false, true}) {
      String name = BACKUPS + (encrypted ? "-" + ENCRYPTED : "");
      make(
          name,
          (directory, zip) -> {
            Backups backups = Backups.in(directory);
            if (encrypted) {
              backups = backups.encrypt(key);
            }
            Map<String, String> contents = new TreeMap<>();
            Path source = work.resolve(name + "-heap");
            builder(source, encrypted).open().close();
            try (Heap heap = builder(source, encrypted).archive(directory).open()) {
              put(heap, 0);
              backups.take(heap);
              put(heap, 1);
              backups.take(heap, Backup.Kind.INCREMENTAL);
              put(heap, 2);
              backups.take(heap, Backup.Kind.INCREMENTAL);
              put(heap, 3);
              contents.put("lsn of stage 3", Long.toString(heap.stats().durableLsn()));
              put(heap, 4);
              backups.keep(1); // deletes the part of the archive that is not needed
            }
            list(name, contents);
            Release.zip(directory, zip);
          });
      String journal = JOURNAL_BACKUPS + (encrypted ? "-" + ENCRYPTED : "");
      make(
          journal,
          (directory, zip) -> {
            JournalBackups backups = JournalBackups.in(directory);
            if (encrypted) {
              backups = backups.encrypt(key);
            }
            try (Journal source = journal(work.resolve(journal + "-source"), encrypted).open()) {
              append(source, STAGES[0]);
              backups.take(source);
              append(source, STAGES[1] - STAGES[0]);
              backups.take(source, Backup.Kind.INCREMENTAL);
              append(source, STAGES[2] - STAGES[1]);
              backups.take(source, Backup.Kind.INCREMENTAL);
            }
            Release.zip(directory, zip);
          });
    }
  }

  /** Adds the entries of a stage, in one transaction. */
  private static void put(Heap heap, int stage) {
    heap.transact(
        () -> {
          for (int i = stage == 0 ? 0 : STAGES[stage - 1]; i < STAGES[stage]; i++) {
            numbers(heap).put(key(i), record(i));
          }
        });
  }

  static String key(int i) {
    return "\u06f0 key " + i;
  }

  /** The map that is in the backups and in the encrypted heaps. */
  static Map<String, String> numbers(Heap heap) {
    return heap.map("numbers", String.class, String.class);
  }

  // ---- What there is ------------------------------------------------------------------------

  /** The record of a journal with this sequence. */
  static String record(int sequence) {
    return "record " + sequence + " ".repeat(sequence % 300);
  }

  /** A digest of the entries of each root. */
  static Map<String, String> contents(Heap heap) {
    Map<String, String> contents = new TreeMap<>();
    for (String name : heap.names()) {
      int[] digest = new int[2];
      heap.entries(name)
          .forEach(
              entry -> {
                digest[0]++;
                digest[1] += 31 * digest(entry.getKey()) + digest(entry.getValue());
              });
      contents.put(name, digest[0] + " " + Integer.toHexString(digest[1]));
    }
    return contents;
  }

  private static int digest(Object value) {
    return switch (value) {
      case null -> 0;
      case byte[] bytes -> Arrays.hashCode(bytes);
      case Number number -> number.hashCode();
      case String text -> text.hashCode();
      default -> value.getClass().getSimpleName().hashCode();
    };
  }

  /** All records of a journal, by their sequences. */
  static Map<Long, String> records(Journal journal) {
    Map<Long, String> records = new TreeMap<>();
    try (JournalReader reader = journal.reader()) {
      reader.forEach(
          (sequence, data) -> {
            records.put(sequence, new String(data.toArray(ValueLayout.JAVA_BYTE), UTF_8));
            return true;
          });
    }
    return records;
  }
}
