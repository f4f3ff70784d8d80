package io.everheap.structure.map;

import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Traverses a view in parts, by ranges of groups. Weakly consistent, like the iterators. */
final class MapSpliterator<T> implements Spliterator<T> {
  private final MapCursor cursor;
  private final Function<MapCursor, T> element;
  private final MapStore<?, ?> store;
  private final boolean distinct;
  private final long groups;

  /**
   * A spliterator over all groups.
   *
   * @param element decodes the element at which the cursor stands
   */
  MapSpliterator(
      MapCursor cursor, Function<MapCursor, T> element, MapStore<?, ?> store, boolean distinct) {
    this(cursor, element, store, distinct, cursor.groupsLeft());
  }

  private MapSpliterator(
      MapCursor cursor,
      Function<MapCursor, T> element,
      MapStore<?, ?> store,
      boolean distinct,
      long groups) {
    this.cursor = cursor;
    this.element = element;
    this.store = store;
    this.distinct = distinct;
    this.groups = groups;
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    Objects.requireNonNull(action, "action");
    if (!cursor.advance()) {
      return false;
    }
    action.accept(element.apply(cursor));
    return true;
  }

  /** Not inside a transaction: other threads do not see what it stored. */
  @Override
  public @Nullable Spliterator<T> trySplit() {
    MapCursor prefix = store.isWriter() ? null : cursor.split();
    return prefix == null ? null : new MapSpliterator<>(prefix, element, store, distinct, groups);
  }

  @Override
  public long estimateSize() {
    double part = (double) cursor.groupsLeft() / groups;
    return (long) Math.ceil(store.reads.sizeLong() * part);
  }

  @Override
  public int characteristics() {
    return Spliterator.CONCURRENT | Spliterator.NONNULL | (distinct ? Spliterator.DISTINCT : 0);
  }
}
