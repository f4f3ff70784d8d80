package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.CorruptException;
import io.everheap.error.EncryptionException;
import io.everheap.error.EverheapException;
import io.everheap.log.SegmentLayout;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What somebody who can write to the files of an encrypted journal, but has no key, can do to it.
 */
@Campaign
class TamperedJournalTest {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final int HEADER = 4096;
  private static final int SECTOR = 512;
  private static final int STORED = 9 * SECTOR;
  private static final int RECORDS = 1500;

  @TempDir Path temp;

  private Path directory() {
    return temp.resolve("j");
  }

  private Journal open() {
    return Journal.builder(directory()).segmentSize(64 << 10).encrypt(KEY).open();
  }

  private static byte[] record(long content) {
    return ByteBuffer.allocate(100).putLong(8, content).array();
  }

  private void append(int from, int to) {
    try (Journal journal = open()) {
      for (int i = from; i < to; i++) {
        journal.append(record(i));
      }
    }
  }

  private Map<String, byte[]> files() {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(directory())) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(file.getFileName().toString(), Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    files.remove("lock");
    files.remove("owner");
    return files;
  }

  private void put(Map<String, byte[]> files) {
    try {
      for (String file : files().keySet()) {
        Files.delete(directory().resolve(file));
      }
      for (var file : files.entrySet()) {
        Files.write(directory().resolve(file.getKey()), file.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void put(Map<String, byte[]> files, String changed, byte[] bytes) {
    Map<String, byte[]> all = new TreeMap<>(files);
    all.put(changed, bytes);
    put(all);
  }

  private static List<String> segments(Map<String, byte[]> files) {
    return files.keySet().stream().filter(SegmentLayout::isSegment).toList();
  }

  /** Whether the journal is refused, or a record is, or all records are what was appended. */
  private boolean refused(String what, int next, LongUnaryOperator content) {
    try (Journal journal = open()) {
      assertThat(journal.nextSequence()).as(what).isEqualTo(next);
      for (long s = journal.firstSequence(); s < next; s++) {
        assertThat(journal.read(s)).as(what).isEqualTo(record(content.applyAsLong(s)));
      }
      return false;
    } catch (EverheapException e) {
      assertThat(e.code()).as(what).isIn("EH-CORRUPT-JOURNAL", "EH-ENCRYPTION", "EH-CORRUPT");
      return true;
    }
  }

  @Test
  void aChangedByteNeverChangesWhatIsRead() {
    append(0, RECORDS);
    Map<String, byte[]> sound = files();
    Random random = new Random(1);
    int refused = 0;
    for (String file : sound.keySet()) {
      for (int i = 0; i < 15; i++) {
        byte[] bytes = sound.get(file).clone();
        int at = i < 5 ? random.nextInt(Math.min(64, bytes.length)) : random.nextInt(bytes.length);
        bytes[at] ^= (byte) (1 << random.nextInt(8));
        put(sound, file, bytes);
        refused += refused(file + " at " + at, RECORDS, s -> s) ? 1 : 0;
      }
    }
    assertThat(refused).isPositive();
  }

  /** Sectors of the newest segment: without encryption they could pass for a torn end. */
  @Test
  void aChangedEndIsNotTakenForATornOne() {
    Journal journal = open();
    for (int i = 0; i < 200; i++) {
      journal.append(record(i));
    }
    Map<String, byte[]> now = files(); // as after a crash
    journal.close();
    String newest =
        segments(now).stream()
            .filter(name -> lastSector(now.get(name)) > HEADER + STORED)
            .toList()
            .getLast();
    byte[] bytes = now.get(newest).clone();
    bytes[lastSector(bytes) + 100] ^= 1;
    put(now, newest, bytes);
    assertThatThrownBy(this::open)
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-JOURNAL)")
        .hasMessageContaining("not authentic");
    put(now);
    assertThat(refused("as it was", 200, s -> s)).isFalse();
  }

  private static int lastSector(byte[] bytes) {
    for (int at = bytes.length - SECTOR; at >= HEADER; at -= SECTOR) {
      if (!Arrays.equals(bytes, at, at + SECTOR, new byte[SECTOR], 0, SECTOR)) {
        return at;
      }
    }
    return 0;
  }

  /** Sectors change places in their segment, between segments and between journals. */
  @Test
  void movedSectorsAreRefused() {
    append(0, RECORDS);
    Map<String, byte[]> sound = files();
    List<String> segments = segments(sound);
    String first = segments.getFirst();
    for (String from : segments) {
      byte[] bytes = sound.get(first).clone();
      int at = HEADER + 3 * STORED;
      int other = from.equals(first) ? at + STORED : at;
      if (sound.get(from).length < other + STORED) {
        continue;
      }
      System.arraycopy(sound.get(from), other, bytes, at, STORED);
      put(sound, first, bytes);
      boolean same = Arrays.equals(bytes, sound.get(first));
      assertThat(refused("blocks of " + from, RECORDS, s -> s)).isEqualTo(!same);
    }
  }

  @Test
  void swappedSegmentsAreRefused() {
    append(0, RECORDS);
    Map<String, byte[]> sound = files();
    List<String> segments = segments(sound);
    for (int i = 0; i + 1 < segments.size(); i++) {
      Map<String, byte[]> swapped = new TreeMap<>(sound);
      swapped.put(segments.get(i), sound.get(segments.get(i + 1)));
      swapped.put(segments.get(i + 1), sound.get(segments.get(i)));
      put(swapped);
      refused("swapped " + i, RECORDS, s -> s);
    }
    Map<String, byte[]> swapped = new TreeMap<>(sound);
    swapped.put(segments.get(0), sound.get(segments.get(1)));
    swapped.put(segments.get(1), sound.get(segments.get(0)));
    put(swapped);
    assertThat(refused("swapped", RECORDS, s -> s)).isTrue();
  }

  @Test
  void aSegmentOfAnotherJournalIsRefused() {
    append(0, RECORDS);
    Map<String, byte[]> other = files();
    put(Map.of());
    append(0, RECORDS);
    Map<String, byte[]> sound = files();
    for (String name : segments(sound)) {
      if (other.containsKey(name)) {
        put(sound, name, other.get(name));
        assertThatThrownBy(this::open)
            .isInstanceOfAny(CorruptException.class, EncryptionException.class);
      }
    }
  }

  /** A file of an earlier moment among the present ones. */
  @Test
  void anOldFileIsRefusedOrHarmless() {
    append(0, 700);
    Map<String, byte[]> old = files();
    append(700, RECORDS);
    Map<String, byte[]> now = files();
    for (String file : old.keySet()) {
      put(now, file, old.get(file));
      refused("an old " + file, RECORDS, s -> s);
    }
  }

  /** Single sectors of an earlier moment, where a segment was used twice. */
  @Test
  void oldSectorsAreRefusedOrHarmless() {
    append(0, 700);
    Map<String, byte[]> old = files();
    append(700, RECORDS);
    Map<String, byte[]> now = files();
    Random random = new Random(3);
    int tried = 0;
    for (String file : segments(now)) {
      byte[] before = old.get(file);
      for (int i = 0; before != null && i < 30; i++) {
        int at = HEADER + random.nextInt((before.length - HEADER) / SECTOR) * SECTOR;
        byte[] bytes = now.get(file).clone();
        if (at + SECTOR <= bytes.length
            && !Arrays.equals(before, at, at + SECTOR, bytes, at, at + SECTOR)) {
          System.arraycopy(before, at, bytes, at, SECTOR);
          put(now, file, bytes);
          refused(file + " at " + at, RECORDS, s -> s);
          tried++;
        }
      }
    }
    assertThat(tried).isPositive();
  }

  /** A closed journal says how far it reaches. */
  @Test
  void aShortenedFileIsRefusedOrHarmless() {
    append(0, RECORDS);
    Map<String, byte[]> now = files();
    for (String file : now.keySet()) {
      for (int part = 0; part < 4; part++) {
        put(now, file, Arrays.copyOf(now.get(file), now.get(file).length * part / 4));
        refused("a part of " + file, RECORDS, s -> s);
      }
      Map<String, byte[]> without = new TreeMap<>(now);
      without.remove(file);
      put(without);
      refused("without " + file, RECORDS, s -> s);
    }
  }

  /**
   * A gap that docs/encryption.md names: it looks like a crash, except to who kept the sequence.
   */
  @Test
  void theEndOfAnOpenJournalIsCutOffUnnoticed() {
    Map<String, byte[]> early;
    Map<String, byte[]> late;
    try (Journal journal = open()) {
      for (int i = 0; i < 100; i++) {
        journal.append(record(i));
      }
      early = files();
      for (int i = 100; i < 200; i++) {
        journal.append(record(i));
      }
      late = files();
    }
    put(late);
    assertThat(refused("as it was", 200, s -> s)).isFalse();
    Map<String, byte[]> cut = new TreeMap<>(late);
    segments(early).forEach(name -> cut.put(name, early.get(name)));
    put(cut);
    assertThat(refused("cut off", 100, s -> s)).isFalse();
  }

  /** Another gap: an intact older copy, which its sequence and its epoch tell. */
  @Test
  void allFilesOfAnEarlierMomentAreAccepted() {
    append(0, 700);
    Map<String, byte[]> old = files();
    long epoch;
    try (Journal journal = open()) {
      journal.truncateAfter(499);
      epoch = journal.info().epoch();
      assertThat(journal.nextSequence()).isEqualTo(500);
    }
    append(1000, 1400);
    put(old);
    try (Journal journal = open()) {
      assertThat(journal.nextSequence()).isEqualTo(700);
      assertThat(journal.info().epoch()).as("only grows").isLessThanOrEqualTo(epoch);
      assertThat(journal.read(600)).isEqualTo(record(600));
    }
  }

  /** Records that were released are there again, or the journal is refused. */
  @Test
  void anOldStateBringsNothingElseThanReleasedRecordsBack() {
    append(0, RECORDS);
    Map<String, byte[]> old = files();
    try (Journal journal = open()) {
      journal.truncateBefore(RECORDS - 100);
    }
    Map<String, byte[]> now = files();
    put(now, "journal", old.get("journal"));
    refused("an old state", RECORDS, s -> s);
    Map<String, byte[]> mixed = new TreeMap<>(old);
    now.forEach(
        (name, bytes) -> mixed.merge(name, bytes, (a, b) -> name.equals("journal") ? a : b));
    put(mixed);
    refused("an old state and what it had", RECORDS, s -> s);
  }

  /** Readers get all records before the damage. */
  @Test
  void whoOnlyReadsGetsWhatIsBeforeTheDamage() {
    append(0, RECORDS);
    Map<String, byte[]> now = files();
    String first = segments(now).getFirst();
    byte[] bytes = now.get(first).clone();
    bytes[HEADER + 5 * STORED + 100] ^= 1;
    put(now, first, bytes);
    try (Journal journal = Journal.builder(directory()).encrypt(KEY).readOnly().open();
        JournalReader reader = journal.reader()) {
      int[] read = {0};
      assertThatThrownBy(
              () -> {
                while (reader.next()) {
                  assertThat(reader.bytes()).isEqualTo(record(read[0]));
                  read[0]++;
                }
              })
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("(EH-CORRUPT-JOURNAL)");
      assertThat(read[0]).isBetween(50, 300);
      assertThat(journal.read(RECORDS - 1)).isEqualTo(record(RECORDS - 1));
    }
  }
}
