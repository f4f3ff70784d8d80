package io.everheap.codec;

import java.lang.reflect.Array;
import java.util.List;

/** Arrays of objects; as keys, they are equal if their contents are. */
final class ArrayCodec<E> extends StructuredCodec<E[]> {
  private final Class<E> type;
  private final Codec<E> element;

  ArrayCodec(Class<E> type, Codec<E> element) {
    this.type = type;
    this.element = element;
  }

  @Override
  String head() {
    return "array";
  }

  @Override
  List<Codec<?>> parts() {
    return List.of(element);
  }

  @Override
  @SuppressWarnings("unchecked") // parts are for values of the same types
  StructuredCodec<?> with(List<Codec<?>> others) {
    return new ArrayCodec<>(type, (Codec<E>) others.getFirst());
  }

  @Override
  void encode(E[] value, CodecOutput out) {
    Elements.write(value.clone(), element, out);
  }

  @Override
  @SuppressWarnings("unchecked") // an array of the element type
  E[] decode(CodecInput in) {
    return Elements.read(element, in).toArray((E[]) Array.newInstance(type, 0));
  }
}
