package io.everheap.benchmarks.journal;

import io.everheap.benchmarks.medium.EmulatedDaxMedium;
import io.everheap.memory.Mapping;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.nio.file.Path;

/** The least that makes a record durable: one store of it, one write-back, one fence. */
final class FloorLoop implements AppendLoop {
  private final EmulatedDaxMedium medium;
  private final Region area;

  FloorLoop(Path directory, long records) {
    medium = EmulatedDaxMedium.open(directory.resolve("floor"));
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
      area.force(at, record.length);
      at += Text.MOST;
    }
  }

  @Override
  public void close() {
    area.close();
    medium.close();
  }
}
