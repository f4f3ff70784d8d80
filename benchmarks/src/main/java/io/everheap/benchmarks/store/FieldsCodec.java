package io.everheap.benchmarks.store;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import java.util.ArrayList;
import java.util.List;

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
    List<byte[]> fields = new ArrayList<>(GUESS);
    while (in.remaining() > 0) {
      fields.add(in.readBytes(in.readVarInt()));
    }
    return fields.toArray(byte[][]::new);
  }
}
