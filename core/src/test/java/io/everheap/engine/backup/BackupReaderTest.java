package io.everheap.engine.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.backup.FileSink;
import io.everheap.backup.SectionWriter;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.log.LogLayout;
import io.everheap.error.EverheapException;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Backups whose checksums are right, and whose contents are not. */
class BackupReaderTest {
  private static final int BYTES = 10;

  @TempDir private Path directory;

  /** Writes a backup with a part of a segment, and reads it; returns the sizes that it tells. */
  private List<Long> read(long position, long size) {
    try (Medium medium = FileMedium.open(directory, false, true)) {
      medium.delete("forged");
      try (MediumFile file = medium.create("forged")) {
        SectionWriter out = new SectionWriter(new FileSink(medium, file), BackupLayout.FORMAT);
        out.header(Backup.Kind.FULL, new UUID(1, 1), new UUID(2, 2), null, 0);
        byte[] name = LogLayout.name(1).getBytes(StandardCharsets.UTF_8);
        out.data().putShort(0, (short) name.length).put(2, name);
        out.section(BackupLayout.FILE, position, size, 2 + name.length + BYTES);
        new BackupWriter(out).finish(0, 0, HomeLayout.INITIAL_CAPACITY);
      }
      List<Long> sizes = new ArrayList<>();
      new BackupReader(medium, "forged", BackupProgress.NONE)
          .read(
              new BackupReader.Sections() {
                @Override
                public void file(String name, long at, ByteBuffer bytes, long whole) {
                  sizes.add(whole);
                }
              });
      return sizes;
    }
  }

  @Test
  void aPartOfASegmentIsRead() {
    assertThat(read(0, 4096)).containsExactly(4096L);
    assertThat(read(LogLayout.MAX_SIZE - BYTES, LogLayout.MAX_SIZE))
        .containsExactly((long) LogLayout.MAX_SIZE);
  }

  /** A restore would fill a disk with zeros, or write in no place. */
  @ParameterizedTest
  @CsvSource({
    "0, 1073741825",
    "0, 9223372036854775807",
    "9223372036854775800, 9223372036854775807",
    "4090, 4096",
    "-1, 4096",
    "0, -1"
  })
  void aPartThatNoSegmentHasIsRefused(long position, long size) {
    assertThatThrownBy(() -> read(position, size))
        .isInstanceOf(EverheapException.class)
        .hasMessageContaining("a heap has no file");
  }
}
