package io.everheap.collection;

import io.everheap.collection.deque.DequeBatch;
import io.everheap.collection.deque.DequeReader;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Goes over a deque by positions, which elements keep. Used by one thread. */
final class DequeIterator<E> implements Iterator<E> {
  private final DurableDeque<E> deque;
  private final DequeReader<E> reader;
  private final boolean ascending;
  private @Nullable DequeBatch batch;
  private int at; // in the batch, of the next element
  private boolean promised;
  private long next; // position
  private long hint;
  private boolean returned;
  private long last; // position of the element that was returned last
  private long lastWord;

  DequeIterator(DurableDeque<E> deque, DequeReader<E> reader, boolean ascending) {
    this.deque = deque;
    this.reader = reader;
    this.ascending = ascending;
    this.next = ascending ? Long.MIN_VALUE : Long.MAX_VALUE;
  }

  private boolean load() {
    DequeBatch now = batch;
    if (now == null || at >= now.count() || !reader.isCurrent(now)) {
      now = reader.batch(next, ascending, hint);
      batch = now;
      at = 0;
    }
    promised = now.count() > 0;
    return promised;
  }

  @Override
  public boolean hasNext() {
    return load();
  }

  @Override
  public E next() {
    if (!promised && !load()) {
      throw new NoSuchElementException();
    }
    DequeBatch now = batch;
    if (now == null) {
      throw new NoSuchElementException();
    }
    promised = false;
    E element = deque.decode(now.value(at));
    last = now.position(at);
    lastWord = now.word(at);
    hint = now.chunk();
    next = ascending ? last + 1 : last - 1;
    at++;
    returned = true;
    return element;
  }

  /** Removes the element that was returned last, unless somebody did. */
  @Override
  public void remove() {
    if (!returned) {
      throw new IllegalStateException("no element to remove: call next first");
    }
    returned = false;
    boolean _ = deque.removeAt(last, lastWord, hint);
  }
}
