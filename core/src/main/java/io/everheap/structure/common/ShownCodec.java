package io.everheap.structure.common;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.collection.Undecodable;
import io.everheap.error.CorruptValueException;

/**
 * Reads values for tools. A value that does not decode is read as an {@link Undecodable}, so that a
 * listing continues with the next one. Only for complete values, not for components of records.
 */
record ShownCodec(Codec<Object> codec) implements Codec<Object> {
  @Override
  public String name() {
    return codec.name();
  }

  @Override
  public void write(Object value, CodecOutput out) {
    codec.write(value, out);
  }

  @Override
  public Object read(CodecInput in) {
    byte[] bytes = in.readBytes(in.remaining());
    Coding<Object> coding = new Coding<>(codec);
    try {
      return coding.decode(bytes, 0, bytes.length);
    } catch (CorruptValueException e) {
      return new Undecodable("", codec.name(), bytes, e);
    }
  }

  @Override
  public boolean canonical() {
    return codec.canonical();
  }
}
