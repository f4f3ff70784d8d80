package io.everheap.codec;

import io.everheap.error.CorruptValueException;
import io.everheap.error.EverheapException;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** A canonical codec of values that contain no others, made of two functions. */
record ScalarCodec<T>(
    String name, BiConsumer<T, CodecOutput> writer, Function<CodecInput, T> reader)
    implements Codec<T> {
  @Override
  public void write(T value, CodecOutput out) {
    writer.accept(value, out);
  }

  @Override
  public T read(CodecInput in) {
    try {
      return reader.apply(in);
    } catch (EverheapException e) {
      throw e;
    } catch (RuntimeException e) { // the JDK's factory methods reject invalid values
      throw new CorruptValueException("no value of type " + name + " has these bytes", e);
    }
  }

  @Override
  public boolean canonical() {
    return true;
  }

  @Override
  public String toString() {
    return name;
  }
}
