package io.everheap.codec.composite;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A byte 0 for {@code null}, or a byte 1 and the value. */
public final class NullableCodec<E> extends CompositeCodec<@Nullable E> {
  private final Codec<E> value;

  /** Creates the codec of such values and {@code null}. */
  public NullableCodec(Codec<E> value) {
    super("nullable", value);
    this.value = value;
  }

  @Override
  public Codec<?> with(List<Codec<?>> others) {
    return new NullableCodec<>(others.getFirst());
  }

  @Override
  protected void encode(@Nullable E object, CodecOutput out) {
    out.writeBoolean(object != null);
    if (object != null) {
      value.write(object, out);
    }
  }

  @Override
  @SuppressWarnings("NullAway") // it does not look at the argument of the supertype
  protected @Nullable E decode(CodecInput in) {
    return in.readBoolean() ? value.read(in) : null;
  }
}
