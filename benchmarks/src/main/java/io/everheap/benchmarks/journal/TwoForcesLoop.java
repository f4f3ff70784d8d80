package io.everheap.benchmarks.journal;

import io.everheap.benchmarks.medium.EmulatedDaxMedium;
import io.everheap.memory.Mapping;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.nio.file.Path;

/** The log of the source: the record and its length are forced, then the pointer to the tail. */
final class TwoForcesLoop implements AppendLoop {
  private static final int START = 64;

  private final EmulatedDaxMedium medium;
  private final Region area;

  TwoForcesLoop(Path directory, long records) {
    medium = EmulatedDaxMedium.open(directory.resolve("two"));
    try (MediumFile file = medium.create("area")) {
      area = file.map(Mapping.SHARED, 0, START + records * Text.MOST);
    }
    area.fill(0, area.size(), (byte) 1);
  }

  @Override
  public void prepare() {
    area.putLong(0, START);
    area.force(0, 8);
  }

  @Override
  public void append(long records) {
    for (long i = 0; i < records; i++) {
      byte[] record = Text.record(i);
      long tail = area.getLong(0);
      area.putInt(tail, record.length);
      area.copyFrom(tail + 4, record, 0, record.length);
      area.force(tail, record.length + 4L);
      area.putLong(0, tail + 4 + record.length);
      area.force(0, 8);
    }
  }

  @Override
  public void close() {
    area.close();
    medium.close();
  }
}
