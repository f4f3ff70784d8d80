package io.everheap.codec;

import java.util.Comparator;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The ordered form of a built-in codec, made of two functions. */
final class OrderedScalar<T> implements OrderedCodec<T> {
  private final Codec<T> plain;
  private final ScalarCodec<T> form;
  private final @Nullable Comparator<? super T> comparator;
  private final boolean prefixes;

  OrderedScalar(Codec<T> plain, BiConsumer<T, CodecOutput> writer, Function<CodecInput, T> reader) {
    this(plain, writer, reader, null, false);
  }

  OrderedScalar(
      Codec<T> plain,
      BiConsumer<T, CodecOutput> writer,
      Function<CodecInput, T> reader,
      @Nullable Comparator<? super T> comparator,
      boolean prefixes) {
    this.plain = plain;
    this.form = new ScalarCodec<>(plain.name(), writer, reader);
    this.comparator = comparator;
    this.prefixes = prefixes;
  }

  /** The codec whose form this is. */
  Codec<T> plain() {
    return plain;
  }

  @Override
  public String name() {
    return plain.name();
  }

  @Override
  public void write(T value, CodecOutput out) {
    form.write(value, out);
  }

  @Override
  public T read(CodecInput in) {
    return form.read(in);
  }

  @Override
  public @Nullable Comparator<? super T> comparator() {
    return comparator;
  }

  @Override
  public boolean hasPrefixes() {
    return prefixes;
  }
}
