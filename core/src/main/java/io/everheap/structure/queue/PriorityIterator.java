package io.everheap.structure.queue;

import io.everheap.collection.Undecodable;
import io.everheap.structure.common.UndecodableIterator;
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
  /** Number of elements that are searched for the one that was returned last. */
  private static final long NEAR = 1024;

  private final Remover remover;
  private final TreeReader<E> reader;
  private @Nullable TreeBatch batch;
  private boolean started;
  private boolean promised;
  private boolean removable;
  private boolean removed; // the element that was returned last, by this iterator
  private long next;
  private long last;
  private long lastWord;
  private long index = -1; // of the element that was returned last, from the head on

  /** Removes an element of the queue. */
  interface Remover {
    /**
     * Removes it, if it is still there.
     *
     * @param word that stands for it
     * @param near where it was
     * @return where it was now, or -1 if it was gone
     */
    long remove(long word, long near);
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
    long found = removed ? -1 : reader.find(lastWord, last, NEAR); // another may be equal to it
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
    pass(now); // first, so that an element that does not decode can be removed
    return reader.value(now, last);
  }

  private void pass(TreeBatch now) {
    promised = false;
    started = true;
    removable = true;
    removed = false;
    last = next;
    lastWord = now.word(next);
    next--;
    index++;
  }

  /** Iterates over the elements that do not decode. */
  Iterator<Undecodable> undecodable() {
    return new UndecodableIterator(
        new UndecodableIterator.Walk() {
          private @Nullable TreeBatch current;

          @Override
          public boolean advance() {
            TreeBatch now = hasNext() ? batch : null;
            current = now;
            if (now != null) {
              pass(now);
            }
            return now != null;
          }

          @Override
          public @Nullable Undecodable failure() {
            return current == null ? null : reader.failure(current, last, index);
          }

          @Override
          public Runnable removal() {
            long word = lastWord;
            long near = last;
            return () -> {
              removeAt(word, near);
            };
          }
        });
  }

  /** Removes the element that was returned last, unless it is gone. */
  @Override
  public void remove() {
    if (!removable) {
      throw new IllegalStateException("no element to remove: call next first");
    }
    removable = false;
    removeAt(lastWord, last);
  }

  private void removeAt(long word, long near) {
    promised = false;
    batch = null;
    long at = remover.remove(word, near);
    if (at >= 0 && near == last) {
      removed = true;
      last = at;
    }
  }
}
