package io.everheap.benchmarks.journal;

import io.everheap.memory.FileMedium;
import io.everheap.memory.Mapping;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.nio.file.Path;

/** The least on a file that survives the process: one copy of the record into a mapped page. */
final class CopyLoop implements AppendLoop {
  private final FileMedium medium;
  private final Region area;

  CopyLoop(Path directory, long records) {
    medium = FileMedium.open(directory.resolve("copy"), false, true);
    try (MediumFile file = medium.create("area")) {
      area = file.map(Mapping.SHARED, 0, records * Text.MOST);
    }
    area.fill(0, area.size(), (byte) 1);
  }

  @Override
  public void prepare() {}

  @Override
  public void append(long records) {
    long at = 0;
    for (long i = 0; i < records; i++) {
      byte[] record = Text.record(i);
      area.copyFrom(at, record, 0, record.length);
      at += Text.MOST;
    }
  }

  @Override
  public void close() {
    area.close();
    medium.close();
  }
}
