package io.everheap.engine.log;

import io.everheap.error.CorruptException;
import io.everheap.log.RecordSeal;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The files of a log that a redo reads, as they were when the heap was opened. A file that is
 * written to before the first checkpoint is copied to memory; the others are mapped. Thread-safe,
 * with one {@link Reader} per thread.
 */
final class RedoLog implements AutoCloseable {
  private final Medium medium;
  private final List<RedoIndex.Source> sources;
  private final long end;
  private final Region[] files;
  private final ByteBuffer[] bytes;

  /**
   * Opens the files.
   *
   * @param copied name of the newest segment, whose end is written again
   * @param end the LSN behind the newest complete transaction
   */
  RedoLog(Medium medium, List<RedoIndex.Source> sources, String copied, long end) {
    this.medium = medium;
    this.sources = sources;
    this.end = end;
    this.files = new Region[sources.size()];
    this.bytes = new ByteBuffer[sources.size()];
    try {
      for (int i = 0; i < files.length; i++) {
        String name = sources.get(i).name();
        if (continues(i)) {
          files[i] = files[i - 1];
          bytes[i] = bytes[i - 1];
          continue;
        }
        boolean copy = name.equals(copied) || name.equals(RingLayout.NAME);
        files[i] = copy ? copy(name) : map(name);
        bytes[i] = files[i].view();
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** Whether a source is the start of the ring, the end of which is the source before. */
  private boolean continues(int index) {
    return index > 0 && sources.get(index - 1).name().equals(sources.get(index).name());
  }

  /** Maps a segment that is not written to before the first checkpoint. */
  private Region map(String name) {
    try (MediumFile file = medium.open(name)) {
      return file.map(Mapping.READ, 0, file.size());
    }
  }

  private Region copy(String name) {
    try (MediumFile file = medium.open(name);
        LogImage image = LogImage.read(medium, name, file.size())) {
      Region copy = Region.allocate(file.size());
      copy.copyFrom(0, image.memory(), 0, file.size());
      return copy;
    }
  }

  /** Reads parts, one at a time. Allocates nothing after its construction. Not thread-safe. */
  final class Reader {
    private final RecordSeal[] seals = new RecordSeal[sources.size()];

    Reader() {
      RecordSeal seal = null;
      ByteBuffer large = ByteBuffer.allocate(PartLayout.MAX_PART);
      for (int i = 0; i < seals.length; i++) {
        long key = sources.get(i).key();
        if (seal == null || key != sources.get(i - 1).key()) {
          seal = new RecordSeal(key);
          seal.crc(large, 0, large.capacity(), 0); // makes it allocate its buffer now
        }
        seals[i] = seal;
      }
    }

    /**
     * Passes the entries of a part to a sink; none if its transaction is not complete.
     *
     * @param file index of the file
     * @param offset of the part in the file
     * @throws CorruptException if the part changed after the opening
     */
    void read(int file, long offset, EntrySink sink) {
      int at = (int) offset;
      long first = sources.get(file).lsn();
      int steps = bytes[file].getInt(at + PartLayout.POSITION) - PartLayout.position(first);
      long lsn = first + Integer.toUnsignedLong(steps) * PartLayout.ALIGNMENT;
      int field = bytes[file].getInt(at + PartLayout.LENGTH);
      boolean valid =
          PartLayout.plausible(field)
              && at + PartLayout.length(field) <= bytes[file].capacity()
              && seals[file].matches(bytes[file], at, at + PartLayout.covered(field), lsn);
      if (!valid) {
        throw CorruptException.log(
            medium.location() + "/" + sources.get(file).name(), at, "it changed after it was read");
      }
      if (isComplete(lsn)) {
        EntryReader.read(files[file].segment(), at, PartLayout.length(field), sink);
      }
    }

    /** Whether the transaction of a part is complete; only the newest one may be incomplete. */
    private boolean isComplete(long lsn) {
      return lsn < end;
    }
  }

  @Override
  public void close() {
    for (int i = 0; i < files.length; i++) {
      if (files[i] != null && !continues(i)) {
        files[i].close();
      }
    }
  }
}
