package io.everheap.benchmarks.store;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import java.util.Arrays;

/** The fields of a record, one behind the other, each after its length. */
final class FieldsCodec implements Codec<byte[][]> {
  private static final int GUESS = 10;

  @Override
  public String name() {
    return "ycsb-fields";
  }

  @Override
  public void write(byte[][] fields, CodecOutput out) {
    for (byte[] field : fields) {
      out.writeVarInt(field.length);
      out.writeBytes(field, 0, field.length);
    }
  }

  @Override
  public byte[][] read(CodecInput in) {
    byte[][] fields = new byte[GUESS][];
    int count = 0;
    while (in.remaining() > 0) {
      if (count == fields.length) {
        fields = Arrays.copyOf(fields, 2 * count);
      }
      fields[count++] = in.readBytes(in.readVarInt());
    }
    return count == fields.length ? fields : Arrays.copyOf(fields, count);
  }
}
