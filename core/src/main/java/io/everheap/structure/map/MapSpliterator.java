package io.everheap.structure.map;

import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Traverses a view in parts, by ranges of groups. Weakly consistent, like the iterators. */
final class MapSpliterator<T> implements Spliterator<T> {
  private final MapView<?, ?, T> view;
  private final MapCursor cursor;
  private final long groups;

  MapSpliterator(MapView<?, ?, T> view, MapCursor cursor, long groups) {
    this.view = view;
    this.cursor = cursor;
    this.groups = groups;
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    Objects.requireNonNull(action, "action");
    if (!cursor.advance()) {
      return false;
    }
    action.accept(view.element(cursor));
    return true;
  }

  /** Not inside a transaction: other threads do not see what it stored. */
  @Override
  public @Nullable Spliterator<T> trySplit() {
    MapCursor prefix = view.map().isWriter() ? null : cursor.split();
    return prefix == null ? null : new MapSpliterator<>(view, prefix, groups);
  }

  @Override
  public long estimateSize() {
    double part = (double) cursor.groupsLeft() / groups;
    return (long) Math.ceil(view.map().sizeLong() * part);
  }

  @Override
  public int characteristics() {
    return Spliterator.CONCURRENT
        | Spliterator.NONNULL
        | (view.isDistinct() ? Spliterator.DISTINCT : 0);
  }
}
