package io.everheap;

import io.everheap.engine.home.Superblock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * Damage to a file of a heap that follows from a seed: bits, words and pages that are not what they
 * were. Words are preferably replaced by what means something: other words of the file, sizes, and
 * the same word a little off. Superblocks get their checksum corrected, so that only their contents
 * can tell.
 */
final class HeapDamage {
  private static final int PAGE = 4096;
  private static final int[] FIELDS = {12, 16, 24, 32, 40, 48, 56, 60, 64, 72, 80, 84, 96};

  private final SplittableRandom random;
  private final byte[] bytes;
  private final ByteBuffer view;
  private final List<String> done = new ArrayList<>();

  private HeapDamage(long seed, byte[] bytes) {
    this.random = new SplittableRandom(seed);
    this.bytes = bytes;
    this.view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Damages a home image behind its superblocks, or a log segment; returns what was done. */
  static String anywhere(long seed, Path file, int from) throws IOException {
    HeapDamage damage = new HeapDamage(seed, Files.readAllBytes(file));
    int times = 1 + damage.random.nextInt(1 + damage.random.nextInt(6));
    for (int i = 0; i < times; i++) {
      damage.once(from);
    }
    Files.write(file, damage.bytes);
    return "seed " + seed + ", " + file.getFileName() + ": " + damage.done;
  }

  /** Changes fields of the superblocks, as one who knows the checksum. */
  static String superblocks(long seed, Path home) throws IOException {
    HeapDamage damage = new HeapDamage(seed, Files.readAllBytes(home));
    int times = 1 + damage.random.nextInt(3);
    for (int i = 0; i < times; i++) {
      damage.superblock(damage.random.nextInt(2) * PAGE);
    }
    Files.write(home, damage.bytes);
    return "seed " + seed + ", superblocks: " + damage.done;
  }

  private void once(int from) {
    switch (random.nextInt(10)) {
      case 0 -> page(from, new byte[PAGE]);
      case 1 -> {
        byte[] noise = new byte[PAGE];
        random.nextBytes(noise);
        page(from, noise);
      }
      case 2 -> page(from, page(somewhere(from) / PAGE));
      case 3, 4, 5 -> bit(somewhere(from));
      default -> word(somewhere(from) & -8);
    }
  }

  /** A place that is not zero, if one is near: most of a file is zeros that nobody reads. */
  private int somewhere(int from) {
    int at = from + random.nextInt(bytes.length - from);
    if (random.nextInt(16) == 0) {
      return at;
    }
    for (int i = 0; i < bytes.length && bytes[at] == 0; i++) {
      at = at + 1 == bytes.length ? from : at + 1;
    }
    return at;
  }

  private byte[] page(int number) {
    byte[] page = new byte[PAGE];
    System.arraycopy(bytes, number * PAGE, page, 0, PAGE);
    return page;
  }

  private void page(int from, byte[] contents) {
    int at = somewhere(from) / PAGE * PAGE;
    System.arraycopy(contents, 0, bytes, at, PAGE);
    done.add("page at " + at);
  }

  private void bit(int at) {
    int bit = 1 << random.nextInt(8);
    bytes[at] ^= (byte) bit;
    done.add("bit " + bit + " at " + at);
  }

  private void word(int at) {
    long word = unlike(view.getLong(at));
    view.putLong(at, word);
    done.add("word at " + at + " is 0x" + Long.toHexString(word));
  }

  private long unlike(long word) {
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> -1;
      case 2 -> random.nextLong();
      case 3 -> 1L << random.nextInt(64);
      case 4 -> word + random.nextInt(-64, 65);
      case 5 -> random.nextLong() >>> random.nextInt(64);
      case 6 -> word ^ 1L << random.nextInt(64);
      default -> view.getLong(somewhere(0) & -8);
    };
  }

  private void superblock(int slot) {
    int field = FIELDS[random.nextInt(FIELDS.length)];
    if (field == 56 || field == 60 || field >= 80 || field == 12) {
      view.putInt(slot + field, (int) unlike(view.getInt(slot + field)));
    } else {
      view.putLong(slot + field, unlike(view.getLong(slot + field)));
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes, slot, 504);
    view.putInt(slot + 504, (int) crc.getValue());
    done.add("field " + field + " of slot " + slot + " of " + Superblock.SIZE);
  }
}
