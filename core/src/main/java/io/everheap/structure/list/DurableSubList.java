package io.everheap.structure.list;

import io.everheap.collection.DurableList;
import io.everheap.structure.common.Collected;
import io.everheap.structure.common.Contents;
import java.util.AbstractList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A view of a part of a {@link DurableList}. Its size is kept in memory and follows a rollback. For
 * one thread.
 */
public final class DurableSubList<E> extends AbstractList<E> implements RandomAccess {
  private final ListStore<E> list;
  private final @Nullable DurableSubList<E> parent;
  private final int offset;
  private int size;

  /**
   * A view.
   *
   * @param parent the view that this is a part of, or null
   * @param offset in the list
   */
  DurableSubList(ListStore<E> list, @Nullable DurableSubList<E> parent, int offset, int size) {
    this.list = list;
    this.parent = parent;
    this.offset = offset;
    this.size = size;
  }

  int offset() {
    return offset;
  }

  /** Follows a change of this view, inside its transaction. */
  void resize(int by) {
    if (by == 0) {
      return;
    }
    for (DurableSubList<E> view = this; view != null; view = view.parent) {
      view.size += by;
    }
    list.transactions().onAbort(() -> undo(by));
  }

  private void undo(int by) {
    for (DurableSubList<E> view = this; view != null; view = view.parent) {
      view.size -= by;
    }
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public E get(int index) {
    return list.get(offset + Objects.checkIndex(index, size));
  }

  @Override
  public E set(int index, E element) {
    return list.set(offset + Objects.checkIndex(index, size), element);
  }

  @Override
  public boolean add(E element) {
    add(size, element);
    return true;
  }

  @Override
  public void add(int index, E element) {
    Objects.checkIndex(index, size + 1L);
    list.transactions()
        .run(
            () -> {
              list.add(offset + index, element);
              resize(1);
            });
  }

  @Override
  public E remove(int index) {
    Objects.checkIndex(index, size);
    return list.transactions()
        .call(
            () -> {
              E element = list.remove(offset + index);
              resize(-1);
              return element;
            });
  }

  @Override
  public boolean remove(@Nullable Object o) {
    return list.transactions()
        .call(
            () -> {
              int index = indexOf(o);
              if (index >= 0) {
                remove(index);
              }
              return index >= 0;
            });
  }

  @Override
  public boolean contains(@Nullable Object o) {
    return indexOf(o) >= 0;
  }

  @Override
  public int indexOf(@Nullable Object o) {
    ListIterator<E> i = listIterator();
    while (o != null && i.hasNext()) {
      if (Contents.same(o, i.next())) {
        return i.previousIndex();
      }
    }
    return -1;
  }

  @Override
  public int lastIndexOf(@Nullable Object o) {
    ListIterator<E> i = listIterator(size);
    while (o != null && i.hasPrevious()) {
      if (Contents.same(o, i.previous())) {
        return i.nextIndex();
      }
    }
    return -1;
  }

  @Override
  public boolean addAll(Collection<? extends E> elements) {
    return addAll(size, elements);
  }

  @Override
  public boolean addAll(int index, Collection<? extends E> elements) {
    Objects.checkIndex(index, size + 1L);
    Object[] added = elements.toArray();
    return list.transactions()
        .call(
            () -> {
              Objects.checkIndex(offset + index, list.aliveSize() + 1);
              list.bulk().insert(offset + index, added);
              resize(added.length);
              return added.length > 0;
            });
  }

  @Override
  protected void removeRange(int fromIndex, int toIndex) {
    Objects.checkFromToIndex(fromIndex, toIndex, size);
    list.transactions()
        .run(
            () -> {
              list.removeBetween(offset + fromIndex, offset + toIndex);
              resize(fromIndex - toIndex);
            });
  }

  @Override
  public void clear() {
    removeRange(0, size);
  }

  @Override
  public boolean removeAll(Collection<?> others) {
    Objects.requireNonNull(others, "others");
    return removeIf(others::contains);
  }

  @Override
  public boolean retainAll(Collection<?> others) {
    Objects.requireNonNull(others, "others");
    return removeIf(element -> !others.contains(element));
  }

  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    Objects.requireNonNull(filter, "filter");
    return list.transactions()
        .call(
            () -> {
              int removed = list.bulk().removeIf(offset, end(), filter);
              resize(-removed);
              return removed > 0;
            });
  }

  @Override
  public void replaceAll(UnaryOperator<E> operator) {
    Objects.requireNonNull(operator, "operator");
    list.transactions().run(() -> list.bulk().replaceAll(offset, end(), operator));
  }

  @Override
  public void sort(@Nullable Comparator<? super E> order) {
    list.transactions().run(() -> list.bulk().sort(offset, end(), order));
  }

  /** The end of this view in the list, inside a transaction. */
  private long end() {
    Objects.checkFromToIndex(offset, (long) offset + size, list.aliveSize());
    return (long) offset + size;
  }

  @Override
  public Iterator<E> iterator() {
    return new ListCursor<>(list, this, offset);
  }

  @Override
  public Object[] toArray() {
    return Collected.toArray(iterator());
  }

  @Override
  public <T> T[] toArray(T[] array) {
    return Collected.toArray(iterator(), array);
  }

  @Override
  public ListIterator<E> listIterator() {
    return new ListCursor<>(list, this, offset);
  }

  @Override
  public ListIterator<E> listIterator(int index) {
    return new ListCursor<>(list, this, offset + (long) Objects.checkIndex(index, size + 1));
  }

  @Override
  public List<E> subList(int fromIndex, int toIndex) {
    Objects.checkFromToIndex(fromIndex, toIndex, size);
    return new DurableSubList<>(list, this, offset + fromIndex, toIndex - fromIndex);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this || (other instanceof List<?> list && Contents.sameInOrder(this, list));
  }

  @Override
  public int hashCode() {
    return Contents.hashInOrder(this);
  }

  @Override
  public String toString() {
    return Contents.elements(this);
  }
}
