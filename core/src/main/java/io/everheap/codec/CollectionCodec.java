package io.everheap.codec;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Lists and sets: their elements in the order of their iterator. */
final class CollectionCodec<E, C extends Collection<E>> extends StructuredCodec<C> {
  private final String kind;
  private final boolean ordered;
  private final Codec<E> element;
  private final Function<List<E>, C> collector;

  private CollectionCodec(
      String kind, boolean ordered, Codec<E> element, Function<List<E>, C> collector) {
    this.kind = kind;
    this.ordered = ordered;
    this.element = element;
    this.collector = collector;
  }

  static <E> Codec<List<E>> list(Codec<E> element) {
    return new CollectionCodec<>("list", true, element, Collections::unmodifiableList);
  }

  static <E> Codec<Set<E>> set(Codec<E> element) {
    return new CollectionCodec<>(
        "set",
        false,
        element,
        elements -> Collections.unmodifiableSet(new LinkedHashSet<>(elements)));
  }

  @Override
  String head() {
    return kind;
  }

  @Override
  List<Codec<?>> parts() {
    return List.of(element);
  }

  @Override
  @SuppressWarnings("unchecked") // parts are for values of the same types
  StructuredCodec<?> with(List<Codec<?>> others) {
    return new CollectionCodec<>(kind, ordered, (Codec<E>) others.getFirst(), collector);
  }

  @Override
  boolean ordered() {
    return ordered;
  }

  @Override
  void encode(C value, CodecOutput out) {
    Elements.write(value.toArray(), element, out); // a copy: others may change a concurrent one
  }

  @Override
  C decode(CodecInput in) {
    return collector.apply(Elements.read(element, in));
  }
}
