package io.everheap.structure.deque;

import io.everheap.structure.common.ValueStore;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Goes over a deque by positions, which elements keep. Used by one thread. */
public final class DequeIterator<E> implements Iterator<E> {
  /** Removes elements. */
  public interface Removal {
    /** Removes the element at a position of a chunk, if the word is still there. */
    void removeAt(long position, long word, long hint);
  }

  private final DequeReader<E> reader;
  private final ValueStore<E> values;
  private final Removal removal;
  private final boolean ascending;
  private @Nullable DequeBatch batch;
  private int at; // in the batch, of the next element
  private boolean promised;
  private long next; // position
  private long hint;
  private boolean returned;
  private long last; // position of the element that was returned last
  private long lastWord;

  public DequeIterator(
      DequeReader<E> reader, ValueStore<E> values, boolean ascending, Removal removal) {
    this.reader = reader;
    this.values = values;
    this.ascending = ascending;
    this.removal = removal;
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
    E element = values.decode(now.value(at));
    last = now.position(at);
    lastWord = now.word(at);
    hint = now.chunk();
    next = ascending ? last + 1 : last - 1;
    at++;
    returned = true;
    return element;
  }

  /** Removes the element that was returned last, unless it is gone. */
  @Override
  public void remove() {
    if (!returned) {
      throw new IllegalStateException("no element to remove: call next first");
    }
    returned = false;
    removal.removeAt(last, lastWord, hint);
  }
}
