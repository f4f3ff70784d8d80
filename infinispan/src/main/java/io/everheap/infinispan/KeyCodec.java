package io.everheap.infinispan;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import org.infinispan.commons.io.ByteBuffer;
import org.infinispan.commons.io.ByteBufferImpl;

/** Marshalled keys, as they are. */
final class KeyCodec implements Codec<ByteBuffer> {
  static final KeyCodec INSTANCE = new KeyCodec();

  private KeyCodec() {}

  @Override
  public String name() {
    return "infinispan.Key";
  }

  @Override
  public void write(ByteBuffer key, CodecOutput out) {
    StoredEntry.write(key, out);
  }

  @Override
  public ByteBuffer read(CodecInput in) {
    return ByteBufferImpl.create(in.readBytes(in.remaining()));
  }

  @Override
  public boolean canonical() {
    return true;
  }
}
