package io.everheap.codec;

import java.util.function.BiConsumer;
import java.util.function.Function;

/** A canonical codec of a program, made of two functions. */
record FunctionCodec<T>(
    String name, BiConsumer<T, CodecOutput> writer, Function<CodecInput, T> reader)
    implements Codec<T> {
  @Override
  public void write(T value, CodecOutput out) {
    writer.accept(value, out);
  }

  @Override
  public T read(CodecInput in) {
    return reader.apply(in);
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
