package io.everheap.cache;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.error.CorruptValueException;
import io.everheap.error.EverheapException;
import java.util.Objects;

/** Keys and values to bytes and back. Thread-safe. */
final class Coding<K, V> {
  private final Codec<K> keys;
  private final Codec<V> values;

  Coding(Codec<K> keys, Codec<V> values) {
    this.keys = keys;
    this.values = values;
  }

  byte[] key(K key) {
    return bytes(keys, Objects.requireNonNull(key, "key"));
  }

  byte[] value(V value) {
    return bytes(values, Objects.requireNonNull(value, "value"));
  }

  K key(byte[] bytes) {
    return read(keys, bytes);
  }

  V value(byte[] bytes) {
    return read(values, bytes);
  }

  private static <T> byte[] bytes(Codec<T> codec, T value) {
    var out = new CodecOutput();
    codec.write(value, out);
    return out.toByteArray();
  }

  private static <T> T read(Codec<T> codec, byte[] bytes) {
    var in = new CodecInput(bytes);
    try {
      T value = codec.read(in);
      in.expectEnd();
      return value;
    } catch (EverheapException e) {
      throw e;
    } catch (RuntimeException | LinkageError e) { // whatever a codec throws, its value stays
      throw new CorruptValueException(
          "the codec " + codec.name() + " throws " + e.getClass().getName(), e);
    }
  }
}
