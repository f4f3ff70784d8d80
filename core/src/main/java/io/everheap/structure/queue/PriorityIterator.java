package io.everheap.structure.queue;

import io.everheap.structure.list.TreeBatch;
import io.everheap.structure.list.TreeReader;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Goes through a priority queue from its head on, which is the end of the tree. When elements came
 * or went meanwhile, it goes on behind the element that it returned last. Used by one thread.
 */
public final class PriorityIterator<E> implements Iterator<E> {
  /** How far it looks for that element. */
  private static final long NEAR = 1024;

  private final Remover remover;
  private final TreeReader<E> reader;
  private @Nullable TreeBatch batch;
  private boolean started;
  private boolean promised;
  private boolean removable;
  private long next;
  private long last;
  private long lastWord;

  /** Removes an element of the queue. */
  interface Remover {
    /**
     * Removes it, if it is still there.
     *
     * @param word that stands for it
     * @param near where it was
     */
    void remove(long word, long near);
  }

  PriorityIterator(Remover remover, TreeReader<E> reader) {
    this.remover = remover;
    this.reader = reader;
  }

  private boolean load() {
    TreeBatch now = batch;
    if (now == null || !reader.isCurrent(now)) {
      next = position();
      now = null;
    }
    if (now == null || !now.has(next)) {
      now = reader.batch(next, false);
      batch = now;
    }
    promised = now != null;
    return promised;
  }

  /** Where the next element is now. */
  private long position() {
    if (!started) {
      return reader.size() - 1;
    }
    long found = reader.find(lastWord, last, NEAR);
    return (found >= 0 ? found : Math.min(last, reader.size())) - 1;
  }

  @Override
  public boolean hasNext() {
    return promised || load();
  }

  @Override
  public E next() {
    TreeBatch now = hasNext() ? batch : null;
    if (now == null) {
      throw new NoSuchElementException();
    }
    E element = reader.value(now, next);
    promised = false;
    started = true;
    removable = true;
    last = next;
    lastWord = now.word(next);
    next--;
    return element;
  }

  /** Removes the element that was returned last, unless it is gone. */
  @Override
  public void remove() {
    if (!removable) {
      throw new IllegalStateException("no element to remove: call next first");
    }
    removable = false;
    promised = false;
    batch = null;
    remover.remove(lastWord, last);
  }
}
