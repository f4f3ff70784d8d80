package io.everheap.engine.log;

import io.everheap.log.LogSeed;
import io.everheap.memory.Closing;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.util.UUID;

/** The log of a heap in memory: counts LSNs, and keeps no records. */
final class VolatileLog extends ImmediateLog {
  private static final String SCRATCH = "scratch";

  private final long limit;
  private final Region region;

  VolatileLog(Medium medium, LogOptions options, UUID uuid, long epoch, long startLsn, int chain) {
    super(medium.location(), new PartSealer(LogSeed.key(uuid, epoch), chain), startLsn);
    this.limit = options.limit();
    if (medium.exists(SCRATCH)) {
      medium.delete(SCRATCH);
    }
    try (MediumFile file = medium.create(SCRATCH)) {
      this.region = file.map(Mapping.SHARED, 0, PartLayout.MAX_PART);
    }
  }

  @Override
  public void reserve(long bytes) {
    check();
  }

  @Override
  int place(int bytes) {
    return (int) PartLayout.align(bytes);
  }

  @Override
  long seal(int length, int flags) {
    int padded = (int) PartLayout.align(length);
    sealer.seal(region, 0, length, padded, flags, lsn());
    return publish(padded);
  }

  @Override
  public long limit() {
    return limit;
  }

  @Override
  public void close() {
    super.close();
    Closing.unmap(region);
  }
}
