package io.everheap.structure.list;

import io.everheap.engine.tx.Transactions;
import io.everheap.structure.common.Contents;
import io.everheap.structure.common.Encoded;
import java.util.AbstractList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a list and a view of a part of it have in common: all that goes through the elements. */
abstract class ListBase<E> extends AbstractList<E> {
  /** A list as its iterators and sublists use it, which see positions and words. */
  interface Store<E> extends List<E> {
    /** The transactions of the heap. */
    Transactions transactions();

    /** Reads elements without a lock. */
    TreeReader<E> reader();

    /** Changes ranges, in a transaction. */
    ListBulk<E> bulk();

    /** The number of elements, in a transaction; throws if the list was freed. */
    long aliveSize();

    /** Whether elements can be encoded only inside a transaction. */
    boolean mustBegin();

    /** Encodes an element. */
    Encoded encode(E element);

    /** Removes the elements from one index to before another, in a transaction of its own. */
    void removeBetween(int from, int to);
  }

  /** The transactions of the heap. */
  public abstract Transactions transactions();

  /** A cursor that stands before the element at an index, or at the end. */
  abstract ListCursor<E> cursor(int index);

  @Override
  public final boolean contains(@Nullable Object o) {
    return indexOf(o) >= 0;
  }

  @Override
  public final int indexOf(@Nullable Object o) {
    ListCursor<E> cursor = cursor(0);
    return Contents.find(o, cursor) ? cursor.previousIndex() : -1;
  }

  @Override
  public final int lastIndexOf(@Nullable Object o) {
    ListCursor<E> cursor = cursor(size());
    while (o != null && cursor.hasPrevious()) {
      if (Contents.isSame(o, cursor::previous)) {
        return cursor.nextIndex();
      }
    }
    return -1;
  }

  /** Comparing runs the program's code, so the cursor checks that the element is still there. */
  @Override
  public final boolean remove(@Nullable Object o) {
    return transactions()
        .call(
            () -> {
              ListCursor<E> cursor = cursor(0);
              boolean found = Contents.find(o, cursor);
              if (found) {
                cursor.remove();
              }
              return found;
            });
  }

  @Override
  public final boolean removeAll(Collection<?> others) {
    Objects.requireNonNull(others, "others");
    return removeIf(others::contains);
  }

  @Override
  public final boolean retainAll(Collection<?> others) {
    Objects.requireNonNull(others, "others");
    return removeIf(element -> !others.contains(element));
  }

  @Override
  public final void forEach(Consumer<? super E> action) {
    Objects.requireNonNull(action, "action");
    cursor(0).forEachRemaining(action);
  }

  @Override
  public final Iterator<E> iterator() {
    return cursor(0);
  }

  @Override
  public final ListIterator<E> listIterator() {
    return cursor(0);
  }

  @Override
  public final ListIterator<E> listIterator(int index) {
    Objects.checkIndex(index, size() + 1L);
    return cursor(index);
  }

  @Override
  public final Object[] toArray() {
    return Contents.toArray(this);
  }

  @Override
  public final <T> T[] toArray(T[] array) {
    return Contents.toArray(this, array);
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return other == this || (other instanceof List<?> list && Contents.sameInOrder(this, list));
  }

  @Override
  public final int hashCode() {
    return Contents.hashInOrder(this);
  }

  @Override
  public final String toString() {
    return Contents.elements(this);
  }
}
