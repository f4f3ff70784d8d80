package io.everheap.structure.list;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.collection.DurableList;
import io.everheap.collection.StructureId;
import io.everheap.collection.Undecodable;
import io.everheap.engine.tx.Transactions;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.UndecodableIterator;
import io.everheap.structure.common.ValueStore;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The handle of a {@link DurableList}: elements as words in a {@link WordTree}. Each change is one
 * transaction, or part of the one that the thread runs; reads are optimistic. Thread-safe.
 */
public final class ListHandle<E> extends ListBase<E> implements DurableList<E>, ListBase.Store<E> {
  private final StructureContext heap;
  private final long reference;
  private final Transactions tx;
  private final WordTree tree;
  private final ValueStore<E> values;
  private final TreeReader<E> reader;
  private final TreeInserts inserts;
  private final TreeRemovals removals;
  private final ListBulk<E> bulk;

  ListHandle(StructureContext heap, long reference, WordTree tree, Codec<E> codec) {
    this.heap = heap;
    this.reference = reference;
    this.tx = heap.transactions();
    this.tree = tree;
    this.values = new ValueStore<>(heap, codec, heap.holder(reference));
    this.reader = new TreeReader<>(heap, tree, values);
    this.inserts = new TreeInserts(tree);
    this.removals = new TreeRemovals(tree);
    this.bulk = new ListBulk<>(tree, values, inserts, removals);
  }

  /** A handle to what was freed: every method throws. */
  static <E> ListHandle<E> dead(StructureContext heap, long reference, Codec<E> codec) {
    return new ListHandle<>(heap, reference, WordTree.dead(heap, reference), codec);
  }

  @Override
  public StructureId id() {
    return new HeapStructureId(heap, reference);
  }

  @Override
  public TreeReader<E> reader() {
    return reader;
  }

  @Override
  public ListBulk<E> bulk() {
    return bulk;
  }

  @Override
  public Transactions transactions() {
    return tx;
  }

  // ---- Reading ------------------------------------------------------------------------------
  @Override
  public E get(int index) {
    E element = reader.get(index);
    if (element == null) {
      throw outside(index);
    }
    return element;
  }

  private IndexOutOfBoundsException outside(int index) {
    return new IndexOutOfBoundsException("index " + index + " in a list of " + size());
  }

  @Override
  public int size() {
    return (int) Math.min(reader.size(), Integer.MAX_VALUE);
  }

  @Override
  public boolean isEmpty() {
    return reader.size() == 0;
  }

  @Override
  public E getFirst() {
    return orNone(reader.get(0));
  }

  @Override
  public E getLast() {
    return orNone(reader.last());
  }

  private E orNone(@Nullable E element) {
    if (element == null) {
      throw new NoSuchElementException("the list is empty");
    }
    return element;
  }

  @Override
  ListCursor<E> cursor(int index) {
    return new ListCursor<>(this, null, index);
  }

  @Override
  public Spliterator<E> spliterator() {
    return new TreeSpliterator<>(reader);
  }

  @Override
  public List<E> subList(int fromIndex, int toIndex) {
    Objects.checkFromToIndex(fromIndex, toIndex, size());
    return new SubListView<>(this, null, fromIndex, toIndex - fromIndex);
  }

  // ---- Changing one element -------------------------------------------------------------------
  @Override
  public boolean add(E element) {
    Objects.requireNonNull(element, "element");
    if (values.mustBegin()) {
      return tx.call(() -> add(element));
    }
    WordCodec<E> codec = values.word();
    long word = codec == null ? 0 : codec.toWord(element);
    if (codec != null && tx.isWriter()) { // what cannot fail half-way needs no savepoint
      tree.checkAlive();
      if (inserts.tryAppend(word, ListBulk.MOST)) {
        return true;
      }
    }
    Encoded encoded = codec == null ? values.encode(element) : null;
    boolean ok = false;
    tx.begin();
    try {
      tree.checkAlive();
      bulk.requireRoomFor(1);
      append(encoded == null ? word : values.store(encoded));
      ok = true;
      return true;
    } catch (InternalError e) {
      throw tx.faulted(e);
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
  }

  private void append(long word) {
    if (!inserts.tryAppend(word, ListBulk.MOST)) {
      inserts.insert(tree.size(), word);
    }
  }

  @Override
  public void addLast(E element) {
    add(element);
  }

  @Override
  public void add(int index, E element) {
    if (values.mustBegin()) {
      tx.run(() -> add(index, element));
      return;
    }
    Encoded encoded = encode(element);
    tx.run(
        () -> {
          Objects.checkIndex(index, aliveSize() + 1);
          bulk.requireRoomFor(1);
          inserts.insert(index, values.store(encoded));
        });
  }

  @Override
  public E set(int index, E element) {
    if (values.mustBegin()) {
      return tx.call(() -> set(index, element));
    }
    Encoded encoded = encode(element);
    return tx.call(
        () -> {
          Objects.checkIndex(index, aliveSize());
          long old = tree.get(index);
          Encoded before = values.load(old);
          bulk.replace(index, old, values.store(encoded));
          return values.decodeAt(index, before);
        });
  }

  @Override
  public void replace(int index, E element) {
    if (values.mustBegin()) {
      tx.run(() -> replace(index, element));
      return;
    }
    Encoded encoded = encode(element);
    tx.run(
        () -> {
          Objects.checkIndex(index, aliveSize());
          bulk.replace(index, tree.get(index), values.store(encoded));
        });
  }

  @Override
  public void delete(int index) {
    tx.run(
        () -> {
          Objects.checkIndex(index, aliveSize());
          removals.remove(index, 1);
        });
  }

  @Override
  public Iterator<Undecodable> undecodable() {
    ListCursor<E> cursor = cursor(0);
    return new UndecodableIterator(
        new UndecodableIterator.Walk() {
          @Override
          public boolean advance() {
            return cursor.advance();
          }

          @Override
          public @Nullable Undecodable failure() {
            return cursor.failure();
          }

          @Override
          public Runnable removal() {
            return cursor.removal();
          }
        });
  }

  @Override
  public E remove(int index) {
    return tx.call(
        () -> {
          Objects.checkIndex(index, aliveSize());
          return take(index);
        });
  }

  @Override
  public E removeFirst() {
    return tx.call(
        () -> {
          requireNotEmpty();
          return take(0);
        });
  }

  @Override
  public E removeLast() {
    return tx.call(
        () -> {
          requireNotEmpty();
          return take(tree.size() - 1);
        });
  }

  private void requireNotEmpty() {
    if (aliveSize() == 0) {
      throw new NoSuchElementException("the list is empty");
    }
  }

  private E take(long index) {
    Encoded element = values.load(tree.get(index));
    removals.remove(index, 1);
    return values.decodeAt(index, element);
  }

  // ---- Changing many elements -----------------------------------------------------------------
  @Override
  public boolean addAll(Collection<? extends E> elements) {
    Object[] added = elements.toArray();
    return tx.call(() -> bulk.insert(aliveSize(), added));
  }

  @Override
  public boolean addAll(int index, Collection<? extends E> elements) {
    Object[] added = elements.toArray();
    return tx.call(
        () -> {
          Objects.checkIndex(index, aliveSize() + 1);
          return bulk.insert(index, added);
        });
  }

  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    Objects.requireNonNull(filter, "filter");
    return tx.call(() -> bulk.removeIf(0, aliveSize(), filter) > 0);
  }

  @Override
  public void replaceAll(UnaryOperator<E> operator) {
    Objects.requireNonNull(operator, "operator");
    tx.run(() -> bulk.replaceAll(0, aliveSize(), operator));
  }

  @Override
  public void sort(@Nullable Comparator<? super E> order) {
    tx.run(() -> bulk.sort(0, aliveSize(), order));
  }

  @Override
  public void clear() {
    tx.run(
        () -> {
          tree.checkAlive();
          TreeLifecycle.clear(heap, tree);
        });
  }

  @Override
  public void removeBetween(int from, int to) {
    removeRange(from, to);
  }

  @Override
  protected void removeRange(int fromIndex, int toIndex) {
    tx.run(
        () -> {
          Objects.checkFromToIndex(fromIndex, toIndex, aliveSize());
          removals.remove(fromIndex, toIndex - fromIndex);
        });
  }

  // ---- Parts of the above -------------------------------------------------------------------

  @Override
  public long aliveSize() {
    tree.checkAlive();
    return tree.plausibleSize();
  }

  @Override
  public boolean mustBegin() {
    return values.mustBegin();
  }

  @Override
  public Encoded encode(E element) {
    return values.encode(Objects.requireNonNull(element, "element"));
  }
}
