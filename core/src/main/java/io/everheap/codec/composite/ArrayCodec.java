package io.everheap.codec.composite;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import java.lang.reflect.Array;
import java.util.List;

/** Arrays of objects; as keys, they are equal if their contents are. */
public final class ArrayCodec<E> extends CompositeCodec<E[]> {
  private final Class<E> type;
  private final Codec<E> element;

  /**
   * Creates a codec.
   *
   * @param type of the elements of the arrays that are made
   */
  public ArrayCodec(Class<E> type, Codec<E> element) {
    super("array", element);
    this.type = type;
    this.element = element;
  }

  @Override
  @SuppressWarnings("unchecked") // parts are for values of the same types
  public Codec<?> with(List<Codec<?>> others) {
    return new ArrayCodec<>(type, (Codec<E>) others.getFirst());
  }

  @Override
  protected void encode(E[] value, CodecOutput out) {
    Elements.write(value.clone(), element, out);
  }

  @Override
  @SuppressWarnings("unchecked") // an array of the element type
  protected E[] decode(CodecInput in) {
    return Elements.read(element, in).toArray((E[]) Array.newInstance(type, 0));
  }
}
