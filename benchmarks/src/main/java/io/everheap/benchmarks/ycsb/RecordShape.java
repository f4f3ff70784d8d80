package io.everheap.benchmarks.ycsb;

import java.util.Locale;

/**
 * How many records there are and how large they are.
 *
 * @param records how many
 * @param fields of a record
 * @param fieldBytes of a field
 */
record RecordShape(long records, int fields, int fieldBytes) {
  /** The field map as {@link RecordCodec} encodes it. */
  int valueBytes() {
    return new RecordCodec(fields).bytes(fieldBytes);
  }

  /** Such as {@code 200k-10x100}. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s-%dx%d", count(records), fields, fieldBytes);
  }

  private static String count(long n) {
    if (n >= 1_000_000 && n % 100_000 == 0) {
      return n % 1_000_000 == 0
          ? n / 1_000_000 + "m"
          : String.format(Locale.ROOT, "%.1fm", n / 1e6);
    }
    return n >= 1000 && n % 1000 == 0 ? n / 1000 + "k" : Long.toString(n);
  }
}
