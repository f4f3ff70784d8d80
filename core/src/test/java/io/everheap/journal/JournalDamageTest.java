package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.error.ForeignException;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Journals that something else than a crash has changed. */
@Campaign
class JournalDamageTest {
  private static final int RECORDS = 400;

  @TempDir private Path temporary;
  private Path directory;

  private static byte[] record(long sequence) {
    return ("record " + sequence + " ".repeat((int) (sequence % 90)))
        .getBytes(StandardCharsets.UTF_8);
  }

  @BeforeEach
  void make() {
    directory = temporary.resolve("j");
    try (Journal journal = Journal.builder(directory).segmentSize(16 << 10).open()) {
      for (long s = 0; s < RECORDS / 2; s++) {
        journal.append(record(s));
      }
    }
    try (Journal journal = Journal.builder(directory).segmentSize(16 << 10).open()) {
      for (long s = RECORDS / 2; s < RECORDS; s++) {
        journal.append(record(s));
      }
    }
  }

  private Map<String, byte[]> files() throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> paths = Files.list(directory)) {
      for (Path path : paths.toList()) {
        files.put(path.getFileName().toString(), Files.readAllBytes(path));
      }
    }
    return files;
  }

  private Path copy(Map<String, byte[]> files, String name) throws IOException {
    Path copy = Files.createDirectories(temporary.resolve(name));
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Files.write(copy.resolve(file.getKey()), file.getValue());
    }
    return copy;
  }

  /** What a journal holds: all of it, or an exception that names damage. */
  private static long readAll(Path journal) {
    try (Journal damaged = Journal.builder(journal).segmentSize(16 << 10).open();
        JournalReader reader = damaged.reader()) {
      long count = damaged.firstSequence();
      while (reader.next()) {
        assertThat(reader.bytes()).isEqualTo(record(count));
        count++;
      }
      assertThat(count).isEqualTo(damaged.nextSequence());
      return count;
    }
  }

  @Test
  void every_flipped_bit_is_harmless_or_named_and_verify_finds_what_reading_finds()
      throws Exception {
    Map<String, byte[]> files = files();
    Path copy = copy(files, "copy");
    Random random = new Random(3);
    int named = 0;
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      byte[] bytes = file.getValue();
      for (int at = 0; at < bytes.length; at += 1 + random.nextInt(1600)) {
        byte[] changed = bytes.clone();
        changed[at] ^= (byte) (1 << random.nextInt(8));
        Files.write(copy.resolve(file.getKey()), changed);
        boolean sound = JournalCheck.verify(copy).ok();
        Map<String, byte[]> before = sound ? Map.of() : Map.of(file.getKey(), changed);
        long found = -1;
        try {
          found = readAll(copy);
          assertThat(sound).as("byte %s of %s", at, file.getKey()).isTrue();
          assertThat(found).as("byte %s of %s", at, file.getKey()).isEqualTo(RECORDS);
        } catch (CorruptException | ForeignException e) {
          named++;
          assertThat(sound).as("byte %s of %s: %s", at, file.getKey(), e).isFalse();
        }
        assertThat(before).isNotNull();
        for (Path path : list(copy)) {
          if (!files.containsKey(path.getFileName().toString())) {
            Files.delete(path);
          }
        }
        copy(files, "copy");
      }
    }
    assertThat(named).isGreaterThan(5);
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> paths = Files.list(directory)) {
      return paths.toList();
    }
  }

  @Test
  void damage_in_the_middle_is_named_and_salvage_saves_the_rest() throws Exception {
    Map<String, byte[]> files = files();
    String first =
        files.keySet().stream().filter(SegmentLayout::isSegment).sorted().findFirst().orElseThrow();
    byte[] bytes = files.get(first);
    bytes[6000] ^= 1;
    Files.write(directory.resolve(first), bytes);

    JournalCheck check = JournalCheck.verify(directory);
    assertThat(check.ok()).isFalse();
    JournalCheck.Problem problem = check.problems().getFirst();
    assertThat(problem.file()).endsWith(first);
    assertThat(problem.offset()).isBetween(5800L, 6000L);

    try (Journal journal = Journal.builder(directory).readOnly().open();
        JournalReader reader = journal.reader()) {
      assertThatThrownBy(
              () -> {
                while (reader.next()) {
                  assertThat(reader.bytes()).isEqualTo(record(reader.sequence()));
                }
              })
          .isInstanceOfSatisfying(
              CorruptException.class, e -> assertThat(e.offset()).hasValue(problem.offset()));
      assertThat(journal.read(problem.sequence() + 1)).isEqualTo(record(problem.sequence() + 1));
    }

    Path saved = temporary.resolve("saved");
    JournalSalvage salvage = JournalSalvage.copy(directory, saved, (done, all) -> {});
    assertThat(salvage.records()).isEqualTo(RECORDS - 1);
    assertThat(salvage.lost())
        .containsExactly(new JournalSalvage.Lost(problem.sequence(), problem.sequence() + 1));
    try (Journal journal = Journal.open(saved)) {
      assertThat(journal.nextSequence()).isEqualTo(RECORDS - 1);
      assertThat(journal.read(0)).isEqualTo(record(0));
      assertThat(journal.read(RECORDS - 2)).isEqualTo(record(RECORDS - 1));
    }
    assertThatThrownBy(() -> JournalSalvage.copy(directory, saved, (done, all) -> {}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_missing_segment_is_named() throws Exception {
    List<String> segments =
        files().keySet().stream().filter(SegmentLayout::isSegment).sorted().toList();
    Files.delete(directory.resolve(segments.get(1)));
    assertThatThrownBy(() -> readAll(directory))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-JOURNAL)")
        .hasMessageContaining(segments.get(1));
  }

  @Test
  void a_segment_of_another_journal_or_ordinal_is_no_segment() throws Exception {
    Map<String, byte[]> files = files();
    List<String> segments =
        files.keySet().stream().filter(SegmentLayout::isSegment).sorted().toList();
    Files.write(directory.resolve("00000000000000ff"), files.get(segments.get(0)));
    assertThat(readAll(directory)).isEqualTo(RECORDS);
  }

  @Test
  void a_lost_state_is_named_nothing_is_overwritten_and_salvage_saves_all() throws Exception {
    Map<String, byte[]> files = files();
    Files.delete(directory.resolve("journal"));
    assertThatThrownBy(() -> readAll(directory))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-JOURNAL)")
        .hasMessageContaining("it is missing, though there are segments");
    assertThatThrownBy(() -> Journal.builder(directory).readOnly().open())
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-JOURNAL)");
    assertThat(JournalCheck.verify(directory).problems()).hasSize(1);
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      if (SegmentLayout.isSegment(file.getKey())) {
        assertThat(directory.resolve(file.getKey())).hasBinaryContent(file.getValue());
      }
    }
    Path saved = temporary.resolve("saved");
    JournalSalvage salvage = JournalSalvage.copy(directory, saved, (done, all) -> {});
    assertThat(salvage.lost()).isEmpty();
    assertThat(readAll(saved)).isEqualTo(RECORDS);
  }

  @Test
  void salvage_takes_no_records_of_another_journal() throws Exception {
    Path other = temporary.resolve("other");
    try (Journal journal = Journal.builder(other).segmentSize(16 << 10).open()) {
      for (int i = 0; i < RECORDS; i++) {
        journal.append(new byte[80]);
      }
    }
    byte[] foreign = Files.readAllBytes(other.resolve(SegmentLayout.name(2)));
    ByteBuffer b = ByteBuffer.wrap(foreign, 0, 4096).slice().order(ByteOrder.LITTLE_ENDIAN);
    SegmentHeader header = SegmentHeader.decode(b, JournalLayout.MAGIC);
    assertThat(header).isNotNull();
    SegmentHeader renamed =
        new SegmentHeader(
            header.version(),
            header.alignment(),
            header.uuid(),
            header.epoch() + 9,
            77,
            0,
            header.first(),
            header.size(),
            header.time(),
            header.durable(),
            header.chain());
    System.arraycopy(
        renamed.encode(JournalLayout.MAGIC).array(), 0, foreign, 0, SegmentLayout.HEADER_SIZE);
    Files.write(directory.resolve(SegmentLayout.name(77)), foreign);
    Path saved = temporary.resolve("saved");
    assertThat(JournalSalvage.copy(directory, saved, (done, all) -> {}).lost()).isEmpty();
    assertThat(readAll(saved)).isEqualTo(RECORDS);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 9})
  void another_format_is_refused_with_both_versions(int version) throws Exception {
    byte[] state = Files.readAllBytes(directory.resolve("journal"));
    for (int slot = 0; slot < 8192; slot += 4096) {
      ByteBuffer b = ByteBuffer.wrap(state, slot, 512).slice().order(ByteOrder.LITTLE_ENDIAN);
      JournalState decoded = JournalState.decode(b);
      JournalState newer =
          new JournalState(
              version,
              decoded.begun(),
              decoded.clean(),
              decoded.uuid(),
              decoded.generation(),
              decoded.epoch(),
              decoded.epochOrdinal(),
              decoded.firstSequence(),
              decoded.firstOrdinal(),
              decoded.endSequence(),
              decoded.segmentSize());
      System.arraycopy(newer.encode().array(), 0, state, slot, 512);
    }
    Files.write(directory.resolve("journal"), state);
    assertThatThrownBy(() -> readAll(directory))
        .isInstanceOf(ForeignException.class)
        .hasMessageContaining("(EH-FORMAT)")
        .hasMessageContaining("version " + version)
        .hasMessageContaining("version " + JournalLayout.FORMAT_VERSION);
  }

  @Test
  void hostile_bytes_end_in_an_exception_of_this_library() throws Exception {
    Map<String, byte[]> files = files();
    Random random = new Random(9);
    List<String> names = new ArrayList<>(files.keySet());
    for (int i = 0; i < 40; i++) {
      Path copy = copy(files, "hostile" + i);
      for (int n = 0; n < 1 + random.nextInt(3); n++) {
        String name = names.get(random.nextInt(names.size()));
        byte[] bytes = Files.readAllBytes(copy.resolve(name));
        switch (random.nextInt(3)) {
          case 0 -> bytes = java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
          case 1 -> {
            for (int k = 0; k < 200 && bytes.length > 0; k++) {
              bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
          }
          default -> bytes = files.get(names.get(random.nextInt(names.size()))).clone();
        }
        Files.write(copy.resolve(name), bytes);
      }
      JournalCheck.verify(copy).ok();
      try (Journal journal =
              Journal.builder(copy).async(Duration.ofSeconds(1)).segmentSize(16 << 10).open();
          JournalReader reader = journal.reader()) {
        while (reader.next()) {
          assertThat(reader.bytes()).isEqualTo(record(reader.sequence()));
        }
        journal.append(record(journal.nextSequence()));
      } catch (EverheapException e) {
        assertThat(e.code()).startsWith("EH-");
      }
    }
  }
}
