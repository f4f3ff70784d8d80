package io.everheap.codec.composite;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import java.util.List;
import java.util.Optional;

/** A byte 0 for an absent value, or a byte 1 and the value. */
public final class OptionalCodec<E> extends CompositeCodec<Optional<E>> {
  private final Codec<E> value;

  /** Creates the codec of such values, or none. */
  public OptionalCodec(Codec<E> value) {
    super("optional", value);
    this.value = value;
  }

  @Override
  public Codec<?> with(List<Codec<?>> others) {
    return new OptionalCodec<>(others.getFirst());
  }

  @Override
  protected void encode(Optional<E> optional, CodecOutput out) {
    out.writeBoolean(optional.isPresent());
    if (optional.isPresent()) {
      value.write(optional.get(), out);
    }
  }

  @Override
  protected Optional<E> decode(CodecInput in) {
    return in.readBoolean() ? Optional.of(value.read(in)) : Optional.empty();
  }
}
