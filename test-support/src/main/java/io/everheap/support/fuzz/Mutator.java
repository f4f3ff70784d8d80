package io.everheap.support.fuzz;

import java.util.Arrays;
import java.util.Random;

/**
 * Mutates bytes: flips bits, sets numbers at the limits of their types, and copies, exchanges,
 * inserts, removes and splices blocks. Most mutations keep the length, since fields of files are
 * found by their offsets. Most places are near bytes that are not zero, since files of heaps are
 * mostly zeros that are never read.
 */
public final class Mutator {
  private static final int MOST_STEPS = 4;
  private static final int MOST_GROWTH = 64 << 10;
  private final Random random;

  Mutator(long seed, long number) {
    random = new Random(seed * 0x9E37_79B9_7F4A_7C15L + number * 0xBF58_476D_1CE4_E5B9L);
  }

  /**
   * Returns the source of random choices.
   *
   * @return the source
   */
  public Random random() {
    return random;
  }

  /**
   * Mutates bytes in one to four steps.
   *
   * @param bytes which stay as they are
   * @param other other bytes of the same kind, or the same
   * @return the mutated bytes
   */
  public byte[] mutate(byte[] bytes, byte[] other) {
    return mutate(bytes, other, 0, bytes.length, true);
  }

  /**
   * Mutates a range, in one to four steps, without moving the bytes after it.
   *
   * @param bytes which stay as they are
   * @param from the first byte that may change
   * @param to the end of those
   * @return the mutated bytes, of the same length
   */
  public byte[] mutateRange(byte[] bytes, int from, int to) {
    return mutate(bytes, bytes, from, Math.min(to, bytes.length), false);
  }

  private byte[] mutate(byte[] bytes, byte[] other, int from, int to, boolean resize) {
    byte[] mutated = bytes.clone();
    int steps = 1 + random.nextInt(MOST_STEPS);
    for (int i = 0; i < steps; i++) {
      if (resize && (mutated.length == 0 || random.nextInt(5) == 0)) {
        mutated = resize(mutated, other, bytes.length + MOST_GROWTH);
      } else if (Math.min(to, mutated.length) > from) {
        change(mutated, from, Math.min(to, mutated.length));
      }
    }
    return mutated;
  }

  private void change(byte[] bytes, int from, int to) {
    int at = place(bytes, from, to);
    switch (random.nextInt(8)) {
      case 0, 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 2 -> bytes[at] = (byte) random.nextInt();
      case 3, 4, 5 -> number(bytes, at, from, to);
      case 6 -> {
        int size = blockSize(to - at);
        int source = align(place(bytes, from, to), from, size);
        size = Math.min(size, to - source);
        System.arraycopy(bytes, source, bytes, at, Math.min(size, to - at));
      }
      default -> {
        int size = blockSize(to - at);
        int second = align(place(bytes, from, to), from, size);
        for (int i = 0; i < size && at + i < to && second + i < to; i++) {
          byte kept = bytes[at + i];
          bytes[at + i] = bytes[second + i];
          bytes[second + i] = kept;
        }
      }
    }
  }

  private void number(byte[] bytes, int at, int from, int to) {
    int width = 1 << random.nextInt(4);
    int start = random.nextInt(4) == 0 ? at : align(at, from, width);
    width = Math.min(width, to - start);
    boolean little = random.nextInt(4) != 0;
    long old = 0;
    for (int i = 0; i < width; i++) {
      old |= (bytes[start + (little ? i : width - 1 - i)] & 0xFFL) << (8 * i);
    }
    long value = interesting(old, 8 * width);
    for (int i = 0; i < width; i++) {
      bytes[start + (little ? i : width - 1 - i)] = (byte) (value >>> (8 * i));
    }
  }

  private long interesting(long old, int bits) {
    return switch (random.nextInt(10)) {
      case 0 -> 0;
      case 1 -> -1;
      case 2 -> 1L << (bits - 1); // the lowest signed number
      case 3 -> (1L << (bits - 1)) - 1; // and the highest
      case 4 -> 1L << random.nextInt(bits);
      case 5 -> (1L << random.nextInt(bits)) - 1;
      case 6 -> -(1L << random.nextInt(bits));
      case 7 -> random.nextLong() >>> random.nextInt(64);
      default -> old + random.nextInt(-64, 65);
    };
  }

  private byte[] resize(byte[] bytes, byte[] other, int most) {
    int at = bytes.length == 0 ? 0 : align(place(bytes, 0, bytes.length), 0, 8);
    int size = blockSize(Math.max(1, bytes.length - at));
    byte[] resized =
        switch (random.nextInt(6)) {
          case 0 -> Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
          case 1 -> splice(bytes, bytes.length, random(size), 0, size, bytes.length);
          case 2 -> Arrays.copyOf(bytes, bytes.length + size);
          case 3 -> splice(bytes, at, bytes, at, Math.min(bytes.length, at + size), at);
          case 4 -> splice(bytes, at, bytes, 0, 0, Math.min(bytes.length, at + size));
          default -> {
            int cut = Math.min(at, other.length);
            yield splice(bytes, cut, other, cut, other.length, bytes.length);
          }
        };
    return resized.length > most ? Arrays.copyOf(resized, most) : resized;
  }

  /** The bytes up to an end, then a part of others, then the rest of the bytes. */
  private static byte[] splice(byte[] bytes, int end, byte[] part, int from, int to, int rest) {
    byte[] spliced = new byte[end + to - from + bytes.length - rest];
    System.arraycopy(bytes, 0, spliced, 0, end);
    System.arraycopy(part, from, spliced, end, to - from);
    System.arraycopy(bytes, rest, spliced, end + to - from, bytes.length - rest);
    return spliced;
  }

  private byte[] random(int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }

  private int blockSize(int most) {
    int size = random.nextInt(4) == 0 ? 1 + random.nextInt(4096) : 1 << random.nextInt(13);
    return Math.clamp(size, 1, Math.max(1, most));
  }

  private static int align(int at, int from, int size) {
    int unit = Integer.highestOneBit(Math.min(size, 4096));
    return Math.max(from, at & -unit);
  }

  private int place(byte[] bytes, int from, int to) {
    int at = from + random.nextInt(to - from);
    if (random.nextInt(16) == 0) {
      return at;
    }
    for (int i = from; i < to && bytes[at] == 0; i++) {
      at = at + 1 == to ? from : at + 1;
    }
    return at;
  }
}
