package io.everheap.replication;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** Messages that are not sealed, byte by byte, as anyone can send them. */
final class Frames {
  private Frames() {}

  static void write(OutputStream to, Message type, byte[] body) throws IOException {
    DataOutputStream out = new DataOutputStream(to);
    CRC32C crc = new CRC32C();
    crc.update(type.code());
    crc.update(body);
    out.writeInt(body.length);
    out.writeByte(type.code());
    out.write(body);
    out.writeInt((int) crc.getValue());
    out.flush();
  }

  /** A greeting of a version. */
  static byte[] greeting(int version, boolean sealed) {
    return ByteBuffer.allocate(Greeting.LENGTH)
        .putLong(Greeting.MAGIC)
        .putShort((short) version)
        .put((byte) (sealed ? 1 : 0))
        .array();
  }

  /** The types of messages that are not sealed. */
  static List<Message> types(byte[] bytes) {
    ByteBuffer b = ByteBuffer.wrap(bytes);
    List<Message> types = new ArrayList<>();
    while (b.hasRemaining()) {
      int length = b.getInt();
      types.add(Message.of(b.get()));
      b.position(b.position() + length + 4);
    }
    return types;
  }
}
