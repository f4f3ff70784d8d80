package io.everheap.engine.log;

/** Receives the log from an archive, or from former segments of a heap, in its order. */
public interface ArchivedParts {
  /** Only checks that all of it is there. */
  ArchivedParts NONE =
      new ArchivedParts() {
        @Override
        public void epoch(EpochStart start) {}

        @Override
        public void part(byte[] part, long end, int crc) {}
      };

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
