package io.everheap.structure.list;

import io.everheap.collection.DurableList;
import io.everheap.engine.tx.Transactions;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A view of a part of a {@link DurableList}. Its size is kept in memory and follows a rollback. For
 * one thread.
 */
public final class SubListView<E> extends ListBase<E> implements RandomAccess {
  private final ListBase.Store<E> list;
  private final @Nullable SubListView<E> parent;
  private final int offset;
  private int size;

  /**
   * A view.
   *
   * @param parent the view that this is a part of, or null
   * @param offset in the list
   */
  SubListView(ListBase.Store<E> list, @Nullable SubListView<E> parent, int offset, int size) {
    this.list = list;
    this.parent = parent;
    this.offset = offset;
    this.size = size;
  }

  int offset() {
    return offset;
  }

  @Override
  public Transactions transactions() {
    return list.transactions();
  }

  @Override
  ListCursor<E> cursor(int index) {
    return new ListCursor<>(list, this, (long) offset + index);
  }

  /** Follows a change of this view, inside its transaction. */
  void resize(int by) {
    if (by == 0) {
      return;
    }
    for (SubListView<E> view = this; view != null; view = view.parent) {
      view.size += by;
    }
    list.transactions().onAbort(() -> undo(by));
  }

  private void undo(int by) {
    for (SubListView<E> view = this; view != null; view = view.parent) {
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
  public List<E> subList(int fromIndex, int toIndex) {
    Objects.checkFromToIndex(fromIndex, toIndex, size);
    return new SubListView<>(list, this, offset + fromIndex, toIndex - fromIndex);
  }
}
