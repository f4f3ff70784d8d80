package io.everheap.testkit;

import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Short ways to read and write simulated files. */
final class Bytes {
  private Bytes() {}

  static ByteBuffer filled(int size, int value) {
    byte[] bytes = new byte[size];
    Arrays.fill(bytes, (byte) value);
    return ByteBuffer.wrap(bytes);
  }

  /** An aligned direct buffer of blocks. */
  static ByteBuffer blocks(int count, int value) {
    int size = count * MediumFile.BLOCK;
    ByteBuffer buffer =
        ByteBuffer.allocateDirect(size + MediumFile.BLOCK)
            .alignedSlice(MediumFile.BLOCK)
            .slice(0, size);
    buffer.put(0, filled(size, value).array());
    return buffer;
  }

  static int at(Medium medium, String name, long position) {
    try (MediumFile file = medium.open(name)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      return file.read(one, position) == 0 ? -1 : one.get(0);
    }
  }

  static long size(Medium medium, String name) {
    try (MediumFile file = medium.open(name)) {
      return file.size();
    }
  }

  /** Makes a durable file of zeros. */
  static MediumFile durable(Medium medium, String name, int size) {
    MediumFile file = medium.create(name);
    file.write(filled(size, 0), 0);
    file.sync();
    medium.syncDirectory("");
    return file;
  }
}
