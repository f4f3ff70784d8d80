package io.everheap.codec.ordered;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.OrderedCodec;
import io.everheap.error.CorruptValueException;
import io.everheap.error.EverheapException;
import java.util.Comparator;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The ordered form of a built-in codec, made of two functions.
 *
 * @param plain the codec whose form this is
 * @param comparator null for the natural order
 * @param hasPrefixes whether values can begin with others
 */
record OrderedScalar<T>(
    Codec<T> plain,
    BiConsumer<T, CodecOutput> writer,
    Function<CodecInput, T> reader,
    @Nullable Comparator<? super T> comparator,
    boolean hasPrefixes)
    implements OrderedCodec<T> {
  @Override
  public String name() {
    return plain.name();
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
    } catch (RuntimeException e) { // the JDK's factory methods reject invalid values
      throw new CorruptValueException("no value of type " + name() + " has these bytes", e);
    }
  }
}
