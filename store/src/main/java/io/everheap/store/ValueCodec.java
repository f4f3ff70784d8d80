package io.everheap.store;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import org.jspecify.annotations.Nullable;

/**
 * The codec of the values in shards. It has one name for all types, so that batches and keys that
 * move are stored without the types of the program: what is written can be a value or its {@link
 * Raw} bytes. The catalog of the store remembers the types.
 */
final class ValueCodec implements Codec<Object> {
  /** Name in the heaps; part of the format. */
  static final String NAME = "everheap.store.value";

  /** Reads and writes {@link Raw} bytes only. */
  static final ValueCodec RAW = new ValueCodec(null);

  private final @Nullable Codec<Object> codec;

  /** An encoded value. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nothing
  record Raw(byte[] bytes) {}

  @SuppressWarnings("unchecked") // the map that uses it has only such values
  ValueCodec(@Nullable Codec<?> codec) {
    this.codec = (Codec<Object>) codec;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void write(Object value, CodecOutput out) {
    if (value instanceof Raw raw) {
      out.writeBytes(raw.bytes, 0, raw.bytes.length);
    } else if (codec == null) {
      throw new IllegalArgumentException("bytes expected, not " + value.getClass());
    } else {
      codec.write(value, out);
    }
  }

  @Override
  public Object read(CodecInput in) {
    return codec == null ? new Raw(in.readBytes(in.remaining())) : codec.read(in);
  }

  /** Encodes a value. */
  static <V> Raw encode(Codec<V> codec, V value) {
    CodecOutput out = new CodecOutput();
    codec.write(value, out);
    return new Raw(out.toByteArray());
  }
}
