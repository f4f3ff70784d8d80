package io.everheap.engine.log;

/** Receives the log from an archive, in its order. */
public interface ArchivedParts {
  /** The parts that follow are of this epoch, from this place on. */
  void epoch(EpochStart start);

  /**
   * A part.
   *
   * @param part its bytes
   * @param end LSN behind it
   * @param crc of the part
   */
  void part(byte[] part, long end, int crc);
}
