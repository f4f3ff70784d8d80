package io.everheap.structure.deque;

import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.Guard;
import io.everheap.structure.common.ValueStore;

/** Values of one chunk of a deque, as they were at one moment, in the order of an iteration. */
public final class DequeBatch {
  /** A batch ends early if its values have more bytes. */
  private static final long MUCH = 1 << 18;

  private final long version;
  private final long[] positions;
  private final long[] words;
  private final Encoded[] values;
  private long chunk;
  private long bytes;
  private int count;

  DequeBatch(long version, int most) {
    this.version = version;
    this.positions = new long[most];
    this.words = new long[most];
    this.values = new Encoded[most];
  }

  void add(long of, long position, long word, ValueStore<?> store, Guard guard) {
    chunk = of;
    Encoded value = store.load(word, guard);
    positions[count] = position;
    words[count] = word;
    values[count++] = value;
    bytes += value.length;
  }

  boolean isFull() {
    return count == positions.length || bytes > MUCH;
  }

  /** Version of the stripe before it was read. */
  long version() {
    return version;
  }

  /** The chunk that they are in; 0 if there are none. */
  public long chunk() {
    return chunk;
  }

  public int count() {
    return count;
  }

  public long position(int i) {
    return positions[i];
  }

  public long word(int i) {
    return words[i];
  }

  public Encoded value(int i) {
    return values[i];
  }
}
