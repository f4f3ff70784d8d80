package io.everheap.codec;

import java.util.List;

/** Reads values that an earlier version of their type wrote. It writes none. */
abstract class EarlierForm<T> extends StructuredCodec<T> {
  @Override
  final String head() {
    return "earlier";
  }

  @Override
  final List<Codec<?>> parts() {
    return List.of();
  }

  @Override
  final void encode(T value, CodecOutput out) {
    throw new UnsupportedOperationException("values are written in their present form");
  }
}
