package io.everheap.structure.deque;

import io.everheap.collection.Undecodable;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.UndecodableIterator;
import io.everheap.structure.common.ValueStore;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Goes over a deque by positions, which elements keep. Used by one thread. */
public final class DequeIterator<E> implements Iterator<E> {
  /** Removes elements. */
  public interface Removal {
    /** Removes the element at a position if the word is still there; returns whether it was. */
    boolean removeAt(long position, long word, long hint);
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
  private long kept; // a chunk before that of the hint, in which this iterator left an element
  private long index = -1; // of the element that was returned last, counted by this iterator
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
      now = reader.batch(next, ascending, hint, kept);
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
    int here = at;
    pass(now); // first, so that an element that does not decode can be removed
    return values.decodeAt(index, now.value(here));
  }

  private void pass(DequeBatch now) {
    promised = false;
    last = now.position(at);
    lastWord = now.word(at);
    if (returned) { // the element before was not removed
      kept = hint;
    }
    hint = now.chunk();
    next = ascending ? last + 1 : last - 1;
    at++;
    index++;
    returned = true;
  }

  /** Iterates over the elements that do not decode. */
  public Iterator<Undecodable> undecodable() {
    return new UndecodableIterator(
        new UndecodableIterator.Walk() {
          private Encoded value = Encoded.NOTHING;

          @Override
          public boolean advance() {
            DequeBatch now = load() ? batch : null;
            if (now == null) {
              return false;
            }
            value = now.value(at);
            pass(now);
            return true;
          }

          @Override
          public @Nullable Undecodable failure() {
            return values.failure(index, value);
          }

          @Override
          public Runnable removal() {
            long position = last;
            long word = lastWord;
            long chunk = hint;
            return () -> {
              boolean _ = removal.removeAt(position, word, chunk);
            };
          }
        });
  }

  /** Removes the element that was returned last, unless it is gone. */
  @Override
  public void remove() {
    if (!returned) {
      throw new IllegalStateException("no element to remove: call next first");
    }
    returned = false;
    boolean _ = removal.removeAt(last, lastWord, hint);
  }
}
