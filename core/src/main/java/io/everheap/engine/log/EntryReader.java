package io.everheap.engine.log;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Decodes the entries of a part, trusting none of its numbers. Stateless. */
final class EntryReader {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int WORD = 8;
  private static final long LAST_ADDRESS = ((1L << 44) - 1) * WORD;

  private EntryReader() {}

  /**
   * Passes the entries of a part to a sink.
   *
   * @param at offset of the part
   * @param length of the part
   * @return whether all entries are well-formed; if not, the sink got those before the first one
   *     that is not
   */
  static boolean read(MemorySegment image, long at, int length, EntrySink sink) {
    long end = at + length;
    long next = at + PartLayout.HEADER_SIZE;
    while (next < end) {
      long word = image.get(LONG, next);
      int type = EntryLayout.type(word);
      if (type == EntryLayout.END) {
        return word == 0;
      }
      int count = EntryLayout.count(word);
      long address = EntryLayout.address(word);
      long words = next + WORD;
      next = words + (long) count * WORD;
      if (next > end) {
        return false;
      }
      switch (type) {
        case EntryLayout.RUN -> {
          if (count == 0 || (count - 1L) * WORD > LAST_ADDRESS - address) {
            return false;
          }
          sink.run(address, image, words, count);
        }
        case EntryLayout.FILL -> {
          long shape = count == EntryLayout.FILL_WORDS ? image.get(LONG, words) : 0;
          long stride = EntryLayout.stride(shape);
          long times = EntryLayout.times(shape);
          if (times == 0
              || stride == 0
              || stride % WORD != 0
              || times - 1 > (LAST_ADDRESS - address) / stride) {
            return false;
          }
          sink.fill(address, stride, times, image.get(LONG, words + WORD));
        }
        default -> {
          return false;
        }
      }
    }
    return true;
  }
}
