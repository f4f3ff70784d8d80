package io.everheap.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.EverheapException;
import io.everheap.log.LogSeed;
import io.everheap.log.RecordSeal;
import io.everheap.log.SegmentLayout;
import io.everheap.report.VerifyProgress;
import io.everheap.support.fuzz.Checksums;
import io.everheap.support.fuzz.Directories;
import io.everheap.support.fuzz.Fuzz;
import io.everheap.support.fuzz.Mutation;
import io.everheap.support.fuzz.Mutator;
import io.everheap.support.release.Release;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every file of a journal, with and without right checksums. Opening, reading, checking, saving,
 * appending, cutting and closing end in records or in an exception of the library. Without right
 * checksums a record that is read is the one that was appended with its sequence.
 */
@Campaign
class JournalFilesFuzzTest {
  private static final long FIRST = 150;
  private static final long NEXT = 400;
  private static final long MOST_STORED = 16L << 20;
  private static final Release RELEASE = Release.all().getFirst();

  @TempDir Path temp;

  private Path journal() {
    return temp.resolve("journal");
  }

  private Fuzz<SequencedMap<String, byte[]>> fuzz(
      String target, int inputs, String corpus, Mutation<SequencedMap<String, byte[]>> mutation)
      throws IOException {
    Fuzz<SequencedMap<String, byte[]>> fuzz = Fuzz.files(target, mutation);
    for (String state : List.of("closed", "killed")) {
      SequencedMap<String, byte[]> files =
          RELEASE.contents(corpus + "-" + state, temp.resolve(corpus + state));
      if (corpus.endsWith("plain")) {
        files.put(ReplicaFile.NAME, promoted());
      }
      fuzz.from(files);
    }
    return fuzz.inputs(inputs)
        .stored(journal(), MOST_STORED)
        .allow(EverheapException.class::isInstance);
  }

  /** The file of a journal that was a replica once. */
  private static byte[] promoted() {
    ByteBuffer file = ByteBuffer.allocate(2 * 4096).order(ByteOrder.LITTLE_ENDIAN);
    file.putLong(0, ReplicaFile.MAGIC).putInt(8, ReplicaFile.VERSION).putInt(12, 2);
    file.putLong(16, 2).putLong(24, 1L << 32 | 7).putLong(48, 9);
    Checksums.crc32c(file.array(), 0, 60);
    return file.array();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void filesAsTheyAre(boolean encrypted) throws IOException {
    String kind = encrypted ? "encrypted" : "plain";
    Fuzz<SequencedMap<String, byte[]>> fuzz =
        fuzz("journal-" + kind + "-raw", 25, "journal-" + kind, Mutation.files(name -> true));
    byte[] key = RELEASE.key();
    fuzz.run(input -> use(input, encrypted ? KeyProvider.of(key) : null, true));
  }

  /** Few inputs: the new journal has segments of 64 MiB. */
  @Test
  void journalsToSalvage() throws IOException {
    Path saved = temp.resolve("saved");
    fuzz("journal-salvage", 6, "journal-plain", Mutation.files(name -> true))
        .run(
            input -> {
              Directories.delete(saved);
              JournalSalvage.copy(Directories.write(input, journal()), saved, (done, all) -> {});
              try (Journal journal = builder(saved, null).open()) {
                readSaved(journal);
              }
            });
  }

  @Test
  void stateAndHeadersWithRightChecksums() throws IOException {
    fuzz("journal-headers", 25, "journal-plain", JournalFilesFuzzTest::headers)
        .run(input -> use(input, null, false));
  }

  @Test
  void recordsWithRightChecksums() throws IOException {
    fuzz("journal-records", 25, "journal-plain", JournalFilesFuzzTest::records)
        .run(input -> use(input, null, false));
  }

  // ---- Mutations ----------------------------------------------------------------------------

  private static void change(
      SequencedMap<String, byte[]> files, String name, Mutator mutator, int from, int to) {
    byte[] bytes = files.get(name);
    if (bytes.length >= to + 4) {
      bytes = mutator.mutateRange(bytes, from, to);
      Checksums.crc32c(bytes, from, to);
      files.put(name, bytes);
    }
  }

  private static SequencedMap<String, byte[]> headers(
      SequencedMap<String, byte[]> input, SequencedMap<String, byte[]> other, Mutator mutator) {
    SequencedMap<String, byte[]> files = new TreeMap<>(input);
    List<String> names = List.copyOf(files.keySet());
    int count = 1 + mutator.random().nextInt(2);
    for (int i = 0; i < count; i++) {
      String name = names.get(mutator.random().nextInt(names.size()));
      int slot = mutator.random().nextInt(2) * 4096;
      switch (name) {
        case "journal" -> change(files, name, mutator, slot, slot + 508);
        case ReplicaFile.NAME -> change(files, name, mutator, slot, slot + 60);
        default -> change(files, name, mutator, 0, 92);
      }
    }
    return files;
  }

  /** Changes some records, and the checksums of all from there on. */
  private static SequencedMap<String, byte[]> records(
      SequencedMap<String, byte[]> input, SequencedMap<String, byte[]> other, Mutator mutator) {
    SequencedMap<String, byte[]> files = new TreeMap<>(input);
    int before = 0; // crc of the last record as it was, and as it is
    int now = 0;
    for (String name : input.keySet()) {
      if (!SegmentLayout.isSegment(name) || input.get(name).length < SegmentLayout.START) {
        continue;
      }
      byte[] bytes = input.get(name).clone();
      ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      if (b.getInt(88) == before && before != now) {
        b.putInt(88, now);
        Checksums.crc32c(bytes, 0, 92);
      }
      var seal = new RecordSeal(LogSeed.key(new UUID(b.getLong(16), b.getLong(24)), b.getLong(32)));
      long ordinal = b.getLong(40);
      for (int at = SegmentLayout.START; at + RecordLayout.MAX_HEADER <= bytes.length; ) {
        int end = end(b, at);
        if (end < 0 || !seal.matches(b, at, end, RecordLayout.position(ordinal, at))) {
          break;
        }
        int old = b.getInt(at);
        if (b.getInt(at + RecordLayout.PREVIOUS) == before && before != now) {
          b.putInt(at + RecordLayout.PREVIOUS, now);
        }
        if (mutator.random().nextInt(60) == 0) {
          int to = mutator.random().nextBoolean() ? at + RecordLayout.HEADER : end;
          byte[] mutated = mutator.mutateRange(bytes, at + RecordLayout.LENGTH, to);
          b.put(at, mutated, at, to - at);
        }
        int changed = end(b, at);
        seal.seal(b, at, changed < 0 ? end : changed, RecordLayout.position(ordinal, at));
        before = old;
        now = b.getInt(at);
        at = (int) RecordLayout.align(end, b.getInt(12));
      }
      files.put(name, bytes);
    }
    return files;
  }

  /** Where a record ends, or a negative number. */
  private static int end(ByteBuffer b, int at) {
    int length = b.getInt(at + RecordLayout.LENGTH);
    long end = (long) at + RecordLayout.headerSize(b.getInt(at + RecordLayout.SEQUENCE)) + length;
    return length < 0 || end > b.limit() ? -1 : (int) end;
  }

  // ---- The oracle ---------------------------------------------------------------------------

  private void use(SequencedMap<String, byte[]> input, @Nullable KeyProvider key, boolean exact) {
    Path directory = Directories.write(input, journal());
    if (key == null) {
      attempt(() -> JournalCheck.verify(directory));
    } else {
      attempt(() -> JournalCheck.verify(directory, key, VerifyProgress.NONE));
    }
    attempt(
        () -> {
          try (Journal journal = builder(directory, key).readOnly().open()) {
            read(journal, exact);
          }
        });
    try (Journal journal = builder(directory, key).open()) {
      attempt(() -> read(journal, exact));
      attempt(() -> journal.append(record(journal.nextSequence())));
      attempt(() -> journal.truncateAfter(journal.nextSequence() - 5));
      attempt(() -> journal.append(record(journal.nextSequence())));
      attempt(() -> journal.truncateBefore(journal.firstSequence() + 50));
      for (int i = 0; i < 20; i++) {
        attempt(() -> journal.append(new byte[3000]));
      }
      attempt(() -> read(journal, false));
    }
    attempt(() -> builder(directory, key).open().close());
  }

  private static JournalBuilder builder(Path directory, @Nullable KeyProvider key) {
    JournalBuilder builder =
        Journal.builder(directory)
            .segmentSize(32 << 10)
            .async(Duration.ofHours(1))
            .ahead(1)
            .mustExist();
    return key == null ? builder : builder.encrypt(key);
  }

  private static byte[] record(long sequence) {
    return ("record " + sequence + " ".repeat((int) (sequence % 300))).getBytes(UTF_8);
  }

  private static void read(Journal journal, boolean exact) {
    attempt(
        () -> {
          try (JournalReader reader = journal.reader()) {
            for (long last = -1; reader.next(); last = reader.sequence()) {
              assertThat(reader.sequence()).isGreaterThan(last);
              requireRecord(reader.sequence(), reader.bytes(), exact);
            }
          }
        });
    for (long sequence = FIRST; sequence < NEXT; sequence += 17) {
      long each = sequence;
      attempt(
          () -> {
            byte @Nullable [] found =
                each < journal.firstSequence() || each >= journal.nextSequence()
                    ? null
                    : journal.read(each);
            if (found != null) {
              requireRecord(each, found, exact);
            }
          });
    }
  }

  /** Salvage numbers the records anew: each is one that was appended, and their order is kept. */
  private static void readSaved(Journal journal) {
    try (JournalReader reader = journal.reader()) {
      for (long last = -1; reader.next(); ) {
        String text = new String(reader.bytes(), UTF_8);
        long sequence = Long.parseLong(text.substring("record ".length()).strip());
        assertThat(sequence).isGreaterThan(last);
        requireRecord(sequence, reader.bytes(), true);
        last = sequence;
      }
    }
  }

  private static void requireRecord(long sequence, byte[] found, boolean exact) {
    if (exact) {
      assertThat(found).as("record %s", sequence).isEqualTo(record(sequence));
    }
  }

  private static void attempt(Runnable action) {
    try {
      action.run();
    } catch (EverheapException e) {
      assertThat(e.code()).startsWith("EH-");
      assertThat(e.getMessage()).isNotBlank();
    }
  }
}
