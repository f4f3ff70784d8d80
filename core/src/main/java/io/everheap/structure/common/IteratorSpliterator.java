package io.everheap.structure.common;

import io.everheap.engine.tx.Transactions;
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Goes over the elements of an iterator; parts for other threads are copied out. Inside a
 * transaction there are none: other threads do not see what it stored.
 */
public final class IteratorSpliterator<T> extends Spliterators.AbstractSpliterator<T> {
  private final Transactions tx;
  private final Iterator<T> iterator;

  public IteratorSpliterator(Transactions tx, Iterator<T> iterator, int characteristics) {
    super(Long.MAX_VALUE, characteristics);
    this.tx = tx;
    this.iterator = iterator;
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    Objects.requireNonNull(action, "action");
    if (!iterator.hasNext()) {
      return false;
    }
    action.accept(iterator.next());
    return true;
  }

  @Override
  public void forEachRemaining(Consumer<? super T> action) {
    iterator.forEachRemaining(Objects.requireNonNull(action, "action"));
  }

  @Override
  public @Nullable Spliterator<T> trySplit() {
    return tx.isWriter() ? null : super.trySplit();
  }
}
