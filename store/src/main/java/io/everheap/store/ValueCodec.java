package io.everheap.store;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.error.CorruptValueException;
import io.everheap.error.EverheapException;
import java.util.Objects;
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

  /** Thrown instead of the exception of a program's codec, so that the map can name the codec. */
  @SuppressWarnings("serial") // never leaves the store
  static final class Refused extends RuntimeException {
    final transient Throwable reason;

    Refused(Throwable reason) {
      super(null, reason, false, false);
      this.reason = reason;
    }
  }

  @Override
  public Object read(CodecInput in) {
    if (codec == null) {
      return new Raw(in.readBytes(in.remaining()));
    }
    try {
      Object value = codec.read(in);
      in.expectEnd();
      return value;
    } catch (RuntimeException | LinkageError e) {
      if (e instanceof EverheapException other && !(e instanceof CorruptValueException)) {
        throw other; // of a heap that the codec reads
      }
      throw new Refused(e);
    }
  }

  /** Decodes a value. */
  static <V> V decode(Codec<V> codec, Raw value) {
    CodecInput in = new CodecInput(value.bytes(), 0, value.bytes().length);
    V decoded = Objects.requireNonNull(codec.read(in));
    in.expectEnd();
    return decoded;
  }

  /** Encodes a value. */
  static <V> Raw encode(Codec<V> codec, V value) {
    CodecOutput out = new CodecOutput();
    codec.write(value, out);
    return new Raw(out.toByteArray());
  }
}
