package io.everheap.structure.list;

import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Goes over the values of a tree by position; bound to its size at its first use. Used by one
 * thread at a time.
 */
public final class TreeSpliterator<T> implements Spliterator<T> {
  private final TreeReader<T> reader;
  private long position;
  private long end;
  private @Nullable TreeBatch batch;

  public TreeSpliterator(TreeReader<T> reader) {
    this(reader, 0, -1);
  }

  private TreeSpliterator(TreeReader<T> reader, long position, long end) {
    this.reader = reader;
    this.position = position;
    this.end = end;
  }

  private long end() {
    if (end < 0) {
      end = reader.size();
    }
    return end;
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    Objects.requireNonNull(action, "action");
    if (position >= end()) {
      return false;
    }
    TreeBatch now = batch;
    if (now == null || !now.has(position) || !reader.isCurrent(now)) {
      now = reader.batch(position, true);
      batch = now;
    }
    if (now == null) {
      position = end; // it became shorter
      return false;
    }
    action.accept(reader.value(now, position++));
    return true;
  }

  /** Not inside a transaction: other threads do not see what it stored. */
  @Override
  public @Nullable Spliterator<T> trySplit() {
    long half = (end() - position) >>> 1;
    if (half == 0 || reader.isWriter()) {
      return null;
    }
    Spliterator<T> prefix = new TreeSpliterator<>(reader, position, position + half);
    position += half;
    return prefix;
  }

  @Override
  public long estimateSize() {
    return end() - position;
  }

  @Override
  public int characteristics() {
    return ORDERED | NONNULL;
  }
}
