package io.everheap.codec.composite;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Lists and sets: their elements in the order of their iterator. */
public final class CollectionCodec<E, C extends Collection<E>> extends CompositeCodec<C> {
  private final boolean ordered;
  private final Codec<E> element;
  private final Function<List<E>, C> collector;

  private CollectionCodec(
      String kind, boolean ordered, Codec<E> element, Function<List<E>, C> collector) {
    super(kind, element);
    this.ordered = ordered;
    this.element = element;
    this.collector = collector;
  }

  /** The codec of lists. */
  public static <E> Codec<List<E>> list(Codec<E> element) {
    return new CollectionCodec<>("list", true, element, Collections::unmodifiableList);
  }

  /** The codec of sets. */
  public static <E> Codec<Set<E>> set(Codec<E> element) {
    return new CollectionCodec<>(
        "set",
        false,
        element,
        elements -> Collections.unmodifiableSet(new LinkedHashSet<>(elements)));
  }

  @Override
  @SuppressWarnings("unchecked") // parts are for values of the same types
  public Codec<?> with(List<Codec<?>> others) {
    return new CollectionCodec<>(head(), ordered, (Codec<E>) others.getFirst(), collector);
  }

  @Override
  protected boolean ordered() {
    return ordered;
  }

  @Override
  protected void encode(C value, CodecOutput out) {
    Elements.write(
        value.toArray(), element, out); // a copy: other threads may change a concurrent collection
  }

  @Override
  protected C decode(CodecInput in) {
    return collector.apply(Elements.read(element, in));
  }
}
