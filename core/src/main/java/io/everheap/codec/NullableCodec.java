package io.everheap.codec;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A byte 0 for {@code null}, or a byte 1 and the value. */
final class NullableCodec<E> extends StructuredCodec<@Nullable E> {
  private final Codec<E> value;

  NullableCodec(Codec<E> value) {
    this.value = value;
  }

  @Override
  String head() {
    return "nullable";
  }

  @Override
  List<Codec<?>> parts() {
    return List.of(value);
  }

  @Override
  StructuredCodec<?> with(List<Codec<?>> others) {
    return new NullableCodec<>(others.getFirst());
  }

  @Override
  void encode(@Nullable E object, CodecOutput out) {
    out.writeBoolean(object != null);
    if (object != null) {
      value.write(object, out);
    }
  }

  @Override
  @SuppressWarnings("NullAway") // it does not look at the argument of the supertype
  @Nullable E decode(CodecInput in) {
    return in.readBoolean() ? value.read(in) : null;
  }
}
