package io.everheap.codec;

import java.util.List;
import java.util.Optional;

/** A byte 0 for an absent value, or a byte 1 and the value. */
final class OptionalCodec<E> extends StructuredCodec<Optional<E>> {
  private final Codec<E> value;

  OptionalCodec(Codec<E> value) {
    this.value = value;
  }

  @Override
  String head() {
    return "optional";
  }

  @Override
  List<Codec<?>> parts() {
    return List.of(value);
  }

  @Override
  StructuredCodec<?> with(List<Codec<?>> others) {
    return new OptionalCodec<>(others.getFirst());
  }

  @Override
  void encode(Optional<E> optional, CodecOutput out) {
    out.writeBoolean(optional.isPresent());
    if (optional.isPresent()) {
      value.write(optional.get(), out);
    }
  }

  @Override
  Optional<E> decode(CodecInput in) {
    return in.readBoolean() ? Optional.of(value.read(in)) : Optional.empty();
  }
}
