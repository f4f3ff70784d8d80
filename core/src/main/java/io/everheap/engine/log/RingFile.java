package io.everheap.engine.log;

import io.everheap.log.SegmentFactory;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Creates, maps, resets and reads the ring file. Its blocks are allocated when it is created,
 * because a store to a hole would fail with a bus error on a full disk. Stateless.
 */
final class RingFile {
  private RingFile() {}

  /** Maps the ring with a header for a new epoch, which invalidates its contents. */
  static Region reset(Medium medium, int capacity, UUID uuid, long epoch) {
    long size = (long) RingLayout.DATA + capacity;
    if (!hasSize(medium, size)) {
      make(medium, size);
    } else if (medium.copiesOnWrite()) {
      own(medium, size);
    }
    Region region;
    try (MediumFile file = medium.open(RingLayout.NAME)) {
      region = file.map(Mapping.SHARED, 0, size);
    }
    byte[] header = RingLayout.header(uuid, epoch, capacity, medium.incarnation()).array();
    region.copyFrom(0, header, 0, header.length);
    return region;
  }

  /** Whether the ring exists with this capacity, so that a reset needs no space. */
  static boolean isThere(Medium medium, int capacity) {
    return hasSize(medium, (long) RingLayout.DATA + capacity);
  }

  private static boolean hasSize(Medium medium, long size) {
    if (!medium.exists(RingLayout.NAME)) {
      return false;
    }
    try (MediumFile file = medium.open(RingLayout.NAME)) {
      return file.size() == size;
    }
  }

  private static void make(Medium medium, long size) {
    if (medium.exists(RingLayout.NAME)) {
      medium.delete(RingLayout.NAME); // first: its blocks may be needed on a full disk
    }
    SegmentFactory.fill(medium, RingLayout.TEMPORARY, size);
    medium.rename(RingLayout.TEMPORARY, RingLayout.NAME);
  }

  /**
   * Writes zeros to all blocks, which the file may share with a copy by reflinks. A full disk is
   * found here, where nothing is lost; a store to the mapping would fail later.
   */
  private static void own(Medium medium, long size) {
    try (MediumFile file = medium.open(RingLayout.NAME)) {
      SegmentFactory.writeZeros(file, size);
    }
  }

  /** Reads the ring; null if there is none, or if it belongs to another epoch or was lost. */
  static @Nullable LogImage read(LogOrigin origin) {
    Medium medium = origin.medium();
    if (!medium.exists(RingLayout.NAME)) {
      return null;
    }
    ByteBuffer found = ByteBuffer.allocate(RingLayout.HEADER_SIZE).order(ByteOrder.LITTLE_ENDIAN);
    long capacity;
    try (MediumFile file = medium.open(RingLayout.NAME)) {
      int read = file.read(found, 0);
      capacity = RingLayout.capacity(found.clear());
      if (read < RingLayout.HEADER_SIZE
          || !RingLayout.plausible(capacity)
          || file.size() != RingLayout.DATA + capacity) {
        return null;
      }
    }
    ByteBuffer expected =
        RingLayout.header(origin.uuid(), origin.epoch(), capacity, medium.incarnation());
    return expected.equals(found)
        ? LogImage.read(medium, RingLayout.NAME, RingLayout.DATA + capacity)
        : null;
  }
}
