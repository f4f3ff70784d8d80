package io.everheap.structure.list;

import io.everheap.collection.Undecodable;
import io.everheap.structure.common.Encoded;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over a list or a view of it, by position: an element is read when it is asked for, a
 * batch at a time for as long as nothing changes. Used by one thread.
 */
public final class ListCursor<E> implements ListIterator<E> {
  /** How far an element may have moved until it is removed. */
  private static final long NEAR = 1024;

  private final ListBase.Store<E> list;
  private final @Nullable SubListView<E> view;
  private long cursor; // in the list
  private long last = -1; // of the element that was returned last
  private long lastWord;
  private long promised = -1; // hasNext or hasPrevious said that there is an element
  private @Nullable TreeBatch batch;

  /**
   * A cursor.
   *
   * @param view that it moves in, or null
   * @param start where it stands first, in the list
   */
  ListCursor(ListBase.Store<E> list, @Nullable SubListView<E> view, long start) {
    this.list = list;
    this.view = view;
    this.cursor = start;
  }

  private long first() {
    return view == null ? 0 : view.offset();
  }

  private boolean load(long index, boolean forward) {
    if (view != null && index >= first() + view.size()) {
      return false;
    }
    TreeBatch now = batch;
    if (now == null || !now.has(index) || !list.reader().isCurrent(now)) {
      now = list.reader().batch(index, forward);
      batch = now;
    }
    promised = now == null ? -1 : index;
    return now != null;
  }

  @Override
  public boolean hasNext() {
    return load(cursor, true);
  }

  @Override
  public boolean hasPrevious() {
    return cursor > first() && load(cursor - 1, false);
  }

  @Override
  public E next() {
    if (promised != cursor && !load(cursor, true)) {
      throw new NoSuchElementException();
    }
    return take(cursor++);
  }

  @Override
  public E previous() {
    if (cursor <= first() || (promised != cursor - 1 && !load(cursor - 1, false))) {
      throw new NoSuchElementException();
    }
    return take(--cursor);
  }

  private E take(long index) {
    TreeBatch now = batch;
    if (now == null) {
      throw new NoSuchElementException();
    }
    promised = -1;
    last = index; // first, so that an element that does not decode can be removed or replaced
    lastWord = now.word(index);
    return list.reader().value(now, index);
  }

  /** Moves over the next element without decoding it; false if there is none. */
  boolean advance() {
    TreeBatch now = promised == cursor || load(cursor, true) ? batch : null;
    if (now == null) {
      return false;
    }
    promised = -1;
    last = cursor;
    lastWord = now.word(cursor++);
    return true;
  }

  /** Describes the element that it moved over if that does not decode, else null. */
  @Nullable Undecodable failure() {
    TreeBatch now = batch;
    return now == null ? null : list.reader().failure(now, last, last);
  }

  /**
   * Removes the element that it moved over, later: also if the elements before it became fewer
   * through this cursor.
   */
  Runnable removal() {
    long index = last;
    long word = lastWord;
    return () -> {
      long now = removeNear(index, word);
      if (now >= 0 && now < cursor) {
        cursor--;
      }
      forget();
    };
  }

  private long removeNear(long index, long word) {
    return list.transactions()
        .call(
            () -> {
              list.aliveSize();
              long now = list.reader().find(word, index, NEAR);
              if (now >= 0) {
                list.bulk().remove(now, word);
              }
              return now;
            });
  }

  @Override
  public int nextIndex() {
    return (int) (cursor - first());
  }

  @Override
  public int previousIndex() {
    return nextIndex() - 1;
  }

  @Override
  public void remove() {
    requireLast();
    list.transactions()
        .run(
            () -> {
              list.aliveSize();
              list.bulk().remove(last, lastWord);
              resizeView(-1);
            });
    if (last < cursor) {
      cursor--;
    }
    forget();
  }

  @Override
  public void set(E element) {
    requireLast();
    if (list.mustBegin()) {
      list.transactions().run(() -> set(element));
      return;
    }
    Encoded encoded = list.encode(element);
    lastWord =
        list.transactions()
            .call(
                () -> {
                  list.aliveSize();
                  return list.bulk().set(last, lastWord, encoded);
                });
    promised = -1;
    batch = null;
  }

  @Override
  public void add(E element) {
    if (view == null) {
      list.add((int) cursor, element);
    } else {
      view.add(nextIndex(), element);
    }
    cursor++;
    forget();
  }

  private void requireLast() {
    if (last < 0) {
      throw new IllegalStateException("no element: call next or previous first");
    }
  }

  private void resizeView(int by) {
    if (view != null) {
      view.resize(by);
    }
  }

  private void forget() {
    last = -1;
    promised = -1;
    batch = null;
  }

  @Override
  public void forEachRemaining(Consumer<? super E> action) {
    Objects.requireNonNull(action, "action");
    while (hasNext()) {
      action.accept(next());
    }
  }
}
