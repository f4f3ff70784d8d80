package io.everheap.codec;

import io.everheap.error.CorruptValueException;
import io.everheap.error.EverheapException;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** A canonical codec of values that contain no others, made of two functions. */
final class ScalarCodec<T> implements Codec<T> {
  private final String name;
  private final BiConsumer<T, CodecOutput> writer;
  private final Function<CodecInput, T> reader;

  ScalarCodec(String name, BiConsumer<T, CodecOutput> writer, Function<CodecInput, T> reader) {
    this.name = name;
    this.writer = writer;
    this.reader = reader;
  }

  @Override
  public String name() {
    return name;
  }

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
    } catch (RuntimeException e) { // the factory methods of the JDK refuse what they never made
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
