package io.everheap.engine.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.backup.FileSink;
import io.everheap.backup.SectionReader;
import io.everheap.backup.SectionWriter;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.Superblock;
import io.everheap.engine.log.LogLayout;
import io.everheap.error.BackupException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.RecordedMedium;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The sections of a heap's backup: which there are, and which are refused. */
class BackupSectionsTest {
  private static final int PAGE = HomeLayout.PAGE_SIZE;
  private static final long MOST = HomeLayout.MAX_CAPACITY / PAGE;
  private static final long CAPACITY = HomeLayout.INITIAL_CAPACITY;
  private static final UUID HEAP = new UUID(1, 2);
  private static final UUID ID = new UUID(3, 4);
  private static final UUID BASE = new UUID(5, 6);
  private static final String SEGMENT = LogLayout.name(1);

  private static final Superblock START =
      new Superblock(
          HEAP, 7, 3, 4096, 99, 8192, CAPACITY, 21, 1 << 24, 1 << 24, 1, 12345, 0, List.of());

  private final RecordedMedium files = new RecordedMedium();
  private final Medium medium = files.open();

  private void write(Consumer<SectionWriter> content) {
    medium.delete("b");
    try (MediumFile file = medium.create("b")) {
      SectionWriter out = new SectionWriter(new FileSink(medium, file), BackupLayout.FORMAT);
      out.header(Backup.Kind.INCREMENTAL, HEAP, ID, BASE, 5000);
      content.accept(out);
    }
  }

  private BackupReader reader() {
    return new BackupReader(medium, "b", BackupProgress.NONE);
  }

  private List<String> events() {
    List<String> events = new ArrayList<>();
    reader()
        .read(
            new BackupReader.Sections() {
              @Override
              public void superblock(Superblock superblock) {
                events.add("superblock " + superblock.generation());
              }

              @Override
              public void pages(long first, long count, ByteBuffer images) {
                events.add(
                    "pages "
                        + first
                        + " "
                        + count
                        + " "
                        + images.remaining()
                        + " "
                        + at(images, 0));
              }

              @Override
              public void zeros(long first, long count) {
                events.add("zeros " + first + " " + count);
              }

              @Override
              public void file(String name, long position, ByteBuffer bytes, long size) {
                events.add("file " + name + " " + position + " " + bytes.remaining() + " " + size);
              }
            });
    return events;
  }

  private static int at(ByteBuffer bytes, int index) {
    return bytes.get(index);
  }

  private void finish(SectionWriter out) {
    out.finish(9000, CAPACITY);
  }

  /** Reads a backup with one section before its end. */
  private List<String> read(int kind, long number, long count, byte[] data) {
    write(
        out -> {
          out.data().put(0, data);
          out.section(kind, number, count, data.length);
          finish(out);
        });
    return events();
  }

  private void requireRefused(String message, int kind, long number, long count, byte[] data) {
    assertThatThrownBy(() -> read(kind, number, count, data))
        .as("%s %s %s", kind, number, count)
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("The backup /recorded/b cannot be used: " + message + " (byte 80).");
  }

  private static byte[] superblock() {
    return bytes(START.encode());
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(buffer.position(), bytes);
    return bytes;
  }

  private static byte[] file(String name, int length) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    byte[] data = new byte[2 + text.length + length];
    data[0] = (byte) text.length;
    System.arraycopy(text, 0, data, 2, text.length);
    return data;
  }

  @Test
  void aSuperblockIsRead() {
    assertThat(read(BackupLayout.SUPERBLOCK, 0, 0, superblock())).containsExactly("superblock 7");
    assertThat(reader().start()).isEqualTo(START);
    assertThat(START.encode().remaining()).isEqualTo(Superblock.SIZE);
    byte[] damaged = superblock();
    damaged[40]++;
    requireRefused("its superblock is invalid", BackupLayout.SUPERBLOCK, 0, 0, damaged);
    assertThatThrownBy(() -> reader().start())
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("its superblock is invalid (byte 80)");
    for (int length : new int[] {0, 8, Superblock.SIZE - 8}) {
      byte[] cut = Arrays.copyOf(superblock(), length);
      requireRefused("its superblock is invalid", BackupLayout.SUPERBLOCK, 0, 0, cut);
      assertThatThrownBy(() -> reader().start())
          .isInstanceOf(BackupException.class)
          .hasMessageContaining(
              length == Superblock.SIZE - 8
                  ? "its first section is damaged (byte 80)"
                  : "it is cut off (byte 80)");
    }
    requireRefused("a section has an unknown kind", 6, 0, 0, superblock());
    assertThatThrownBy(() -> reader().start())
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("its superblock is invalid (byte 80)");
  }

  @Test
  void pagesAreThoseThatAHeapCanHave() {
    byte[] page = new byte[PAGE];
    page[0] = 5;
    assertThat(read(BackupLayout.PAGES, 2, 1, page)).containsExactly("pages 2 1 4096 5");
    assertThat(read(BackupLayout.PAGES, MOST - 1, 1, page))
        .containsExactly("pages " + (MOST - 1) + " 1 4096 5");
    assertThat(read(BackupLayout.PAGES, 70, 256, new byte[256 * PAGE]))
        .containsExactly("pages 70 256 1048576 0");
    String none = "a heap has no such pages";
    requireRefused(none, BackupLayout.PAGES, 1, 1, page);
    requireRefused(none, BackupLayout.PAGES, -1, 1, page);
    requireRefused(none, BackupLayout.PAGES, MOST, 1, page);
    requireRefused(none, BackupLayout.PAGES, Long.MAX_VALUE, 1, page);
    requireRefused(none, BackupLayout.PAGES, 2, 0, new byte[0]);
    requireRefused(none, BackupLayout.PAGES, 2, -1, page);
    requireRefused("pages are missing", BackupLayout.PAGES, 2, 2, page);
    requireRefused("pages are missing", BackupLayout.PAGES, 2, 1, new byte[2 * PAGE]);
  }

  @Test
  void pagesOfZerosAreThoseThatAHeapCanHave() {
    byte[] no = new byte[0];
    assertThat(read(BackupLayout.ZEROS, 2, MOST - 2, no)).containsExactly("zeros 2 " + (MOST - 2));
    assertThat(read(BackupLayout.ZEROS, 10, 1, no)).containsExactly("zeros 10 1");
    String none = "a heap has no such pages";
    requireRefused(none, BackupLayout.ZEROS, 2, MOST - 1, no);
    requireRefused(none, BackupLayout.ZEROS, 3, MOST - 2, no);
    requireRefused(none, BackupLayout.ZEROS, 0, 1, no);
    requireRefused(none, BackupLayout.ZEROS, 2, Long.MAX_VALUE, no);
    requireRefused(none, BackupLayout.ZEROS, 2, 0, no);
  }

  @Test
  void filesAreSegmentsAndRegions() {
    assertThat(read(BackupLayout.FILE, 5, 100, file(SEGMENT, 8)))
        .containsExactly("file " + SEGMENT + " 5 8 100");
    assertThat(read(BackupLayout.FILE, 92, 100, file(SEGMENT, 8)))
        .containsExactly("file " + SEGMENT + " 92 8 100");
    assertThat(read(BackupLayout.FILE, 0, 0, file(SEGMENT, 0)))
        .containsExactly("file " + SEGMENT + " 0 0 0");
    assertThat(read(BackupLayout.FILE, 0, 1L << 40, file("region-r", 8)))
        .containsExactly("file region-r 0 8 " + (1L << 40));
    String noName = "the name of a file is invalid";
    requireRefused(noName, BackupLayout.FILE, 0, 100, new byte[0]);
    requireRefused(noName, BackupLayout.FILE, 0, 100, new byte[] {1});
    requireRefused(noName, BackupLayout.FILE, 0, 100, new byte[] {0, 0, 7});
    requireRefused(noName, BackupLayout.FILE, 0, 100, new byte[] {2, 0, 'a'});
    byte[] negative = file(SEGMENT, 8);
    negative[1] = (byte) 0x80;
    requireRefused(noName, BackupLayout.FILE, 0, 100, negative);
    requireRefused(
        "a heap has no file heap of 100 bytes", BackupLayout.FILE, 0, 100, file("heap", 8));
    requireRefused("a heap has no file a of 100 bytes", BackupLayout.FILE, 0, 100, file("a", 0));
    String segment = "a heap has no file " + SEGMENT + " of 100 bytes";
    requireRefused(segment, BackupLayout.FILE, 93, 100, file(SEGMENT, 8));
    requireRefused(segment, BackupLayout.FILE, -1, 100, file(SEGMENT, 8));
  }

  @Test
  void theEndHasACapacityThatAHeapCanHave() {
    for (long capacity : new long[] {CAPACITY, HomeLayout.MAX_CAPACITY, 77L << 18}) {
      write(out -> out.finish(0, capacity));
      assertThat(events()).isEmpty();
      assertThat(reader().describe().heapBytes()).isEqualTo(capacity);
    }
    long[][] wrong = {
      {-1, CAPACITY},
      {5, CAPACITY - HomeLayout.CHUNK_SIZE},
      {5, HomeLayout.MAX_CAPACITY + HomeLayout.CHUNK_SIZE},
      {5, CAPACITY + PAGE},
      {5, -CAPACITY}
    };
    for (long[] end : wrong) {
      write(out -> out.finish(end[0], end[1]));
      assertThatThrownBy(this::events)
          .as("%s %s", end[0], end[1])
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("its end is invalid (byte 80)");
    }
  }

  @Test
  void theWriterMakesRunsOfPagesAndOfZeros() {
    write(
        out -> {
          BackupWriter writer = new BackupWriter(out);
          writer.superblock(START.encode());
          long[] numbers = {2, 3, 4, 5, 6, 8, 9, 11, 12};
          ByteBuffer images = writer.images(numbers.length * PAGE);
          int[] full = {0, 1, 4, 5, 6, 8};
          for (int at = 0; at < images.capacity(); at += 8) {
            images.putLong(at, 0);
          }
          for (int page : full) {
            images.put(
                page * PAGE + (page == 0 ? 0 : page == 8 ? PAGE - 1 : 77), (byte) (10 + page));
          }
          writer.pages(numbers, numbers.length, PAGE);
          writer.finish(4096, 9000, CAPACITY);
        });
    assertThat(events())
        .containsExactly(
            "superblock 7",
            "pages 2 2 8192 10",
            "zeros 4 2",
            "pages 6 1 4096 0",
            "pages 8 2 8192 0",
            "zeros 11 1",
            "pages 12 1 4096 0");
    assertThat(reader().describe())
        .isEqualTo(
            new Backup(
                "b",
                Backup.Kind.INCREMENTAL,
                ID,
                BASE,
                HEAP,
                Instant.ofEpochMilli(5000),
                4096,
                9000,
                6,
                CAPACITY,
                files.bytes("b").length));
  }

  @Test
  void theWriterCopiesAFileInPartsWithZerosBehindItsEnd() {
    byte[] content = new byte[(1 << 20) + 10];
    Arrays.fill(content, (byte) 9);
    files.put("source", content);
    int[] steps = {0};
    write(
        out -> {
          try (MediumFile source = medium.open("source")) {
            BackupWriter writer = new BackupWriter(out);
            writer.images(1 << 20).put(0, content, 0, 1 << 20); // must not be read as contents
            writer.file("region-r", source, content.length + 6L, 1L << 30, () -> steps[0]++);
            assertThat(steps[0]).isEqualTo(2);
            writer.file("region-s", source, 1 << 20, 1 << 20, () -> steps[0]++);
            assertThat(steps[0]).isEqualTo(3);
            writer.file("region-empty", source, 0, 0, () -> steps[0]++);
            assertThat(steps[0]).isEqualTo(4);
            assertThat(writer.size()).isEqualTo(out.size());
            finish(out);
          }
        });
    assertThat(events())
        .containsExactly(
            "file region-r 0 1048576 1073741824",
            "file region-r 1048576 16 1073741824",
            "file region-s 0 1048576 1048576",
            "file region-empty 0 0 0");
    List<String> parts = new ArrayList<>();
    new SectionReader(medium, "b", BackupLayout.FORMAT)
        .read(
            BackupProgress.NONE,
            section -> {
              if (section.number() > 0 && section.kind() == BackupLayout.FILE) {
                parts.add(Arrays.toString(bytes(section.data().slice(10, 16))));
              }
            });
    assertThat(parts).containsExactly("[9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 0, 0, 0, 0, 0, 0]");
  }
}
