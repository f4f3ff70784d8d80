package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.collection.base.Atomic;
import io.everheap.collection.base.Damage;
import io.everheap.collection.base.Encoded;
import io.everheap.collection.base.OptimisticReads;
import io.everheap.collection.base.ValueStore;
import io.everheap.collection.lifecycle.TreeLifecycle;
import io.everheap.collection.tree.ListBulk;
import io.everheap.collection.tree.TreeInserts;
import io.everheap.collection.tree.TreeReader;
import io.everheap.collection.tree.TreeRemovals;
import io.everheap.collection.tree.TreeSpliterator;
import io.everheap.collection.tree.WordTree;
import io.everheap.engine.Engine;
import io.everheap.engine.tx.Transactions;
import java.util.AbstractList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A list that lives in a heap and outlives the process: a {@link List} whose changes are atomic and
 * durable. Elements are copied in and out by their codec; none is null. They are compared with
 * {@code equals}, arrays by their contents, except in {@link #equals} of lists.
 *
 * <p><b>Transactions.</b> A method that changes the list is a transaction of its own, or part of
 * the one that this thread runs: it happens wholly or not at all, also {@link #addAll}, {@link
 * #removeIf}, {@link #replaceAll}, {@link #sort} and {@link #clear}, on views as well. When it
 * returns outside a transaction, it is as durable as the heap's durability says. Functions given to
 * it run inside the transaction; an exception of theirs undoes what that call did, no more. They
 * must not change the list, else the call ends in {@link java.util.ConcurrentModificationException}
 * or keeps its own changes only.
 *
 * <p><b>Reads</b> take no lock, wait for nobody but a writer that keeps changing the list, and see
 * the newest commit, which its own caller may still be waiting for to become durable. Iterators,
 * streams and searches go by position: they see what is at a position when they come to it. If
 * somebody inserts or removes elements before it, they may see an element twice or miss one; for a
 * consistent view over several reads use {@code Heap.read}. An iterator's {@code remove} and {@code
 * set} throw {@link java.util.ConcurrentModificationException} if another element is at its
 * position by then; nothing else fails because of changes.
 *
 * <p><b>Cost.</b> Elements stand in leaves of up to 127 words, in a tree that counts them: any
 * position is found in a few steps, three or four in a list of a million. Adding or removing at the
 * end changes two words, elsewhere about a hundred, however long the list is; the size is known. An
 * element whose codec makes words stands in the leaf, others in a block of their own. Removing all
 * of a large list at once is a short transaction; its space is given back in the background. A list
 * has at most {@link Integer#MAX_VALUE} elements; an encoded element just below 2 GiB.
 *
 * <p>Safe for use by many threads; a view made by {@link #subList} is for one. After the list was
 * removed from its heap, every method throws {@link io.everheap.error.StaleReferenceException};
 * after the heap was closed, {@link io.everheap.error.HeapClosedException}.
 *
 * @param <E> the type of elements
 */
public final class DurableList<E> extends AbstractList<E> implements RandomAccess, Structure {
  private final Engine engine;
  private final long reference;
  private final Transactions tx;
  private final WordTree tree;
  private final ValueStore<E> values;
  private final TreeReader<E> reader;
  private final TreeInserts inserts;
  private final TreeRemovals removals;
  private final ListBulk<E> bulk;

  private DurableList(Engine engine, long reference, WordTree tree, Codec<E> codec) {
    this.engine = engine;
    this.reference = reference;
    this.tx = engine.transactions();
    this.tree = tree;
    this.values = new ValueStore<>(engine, codec, new Holder(engine, reference));
    this.reader = new TreeReader<>(engine, tree, values);
    this.inserts = new TreeInserts(tree);
    this.removals = new TreeRemovals(tree);
    this.bulk = new ListBulk<>(tree, values, inserts, removals);
  }

  /**
   * The shape of a list with elements of this type.
   *
   * @param element class of the elements: a type with a built-in codec, an enum, a record, or a
   *     registered class
   */
  public static <E> Shape<DurableList<E>> of(Class<E> element) {
    Objects.requireNonNull(element, "element");
    return codecs -> new ListDefinition<>(codecs.forClass(element));
  }

  /** The shape of a list with a codec of the caller's choice. */
  public static <E> Shape<DurableList<E>> of(Codec<E> element) {
    ListDefinition<E> definition = new ListDefinition<>(Objects.requireNonNull(element, "element"));
    return codecs -> definition;
  }

  /**
   * The shape of a list whose elements are structures themselves, made by {@code Heap.create}. The
   * list keeps references: removing an element does not free it; {@code Heap.free} does.
   *
   * @param element shape of the elements
   */
  public static <E> Shape<DurableList<E>> of(Shape<E> element) {
    Objects.requireNonNull(element, "element");
    return codecs -> new ListDefinition<>(NestedCodec.of(element, codecs));
  }

  /** A handle to a list that exists. */
  static <E> DurableList<E> attach(Engine engine, long reference, Codec<E> codec) {
    return OptimisticReads.of(engine)
        .read(
            TreeLifecycle.guard(engine, reference),
            guard -> {
              ListKind.INSTANCE.types(engine, reference);
              WordTree tree = new WordTree(engine, reference, TreeLifecycle.offset(1));
              DurableList<E> list = new DurableList<>(engine, reference, tree, codec);
              if (tree.words() != list.values.isWord()) {
                throw Damage.at(tree.header(), "a list whose header does not fit " + codec.name());
              }
              return list;
            });
  }

  /** A handle to what was freed: every method throws. */
  static <E> DurableList<E> dead(Engine engine, long reference, Codec<E> codec) {
    return new DurableList<>(engine, reference, WordTree.dead(engine, reference), codec);
  }

  @Override
  public StructureId id() {
    return new StructureId(engine, reference);
  }

  TreeReader<E> reader() {
    return reader;
  }

  /** For changes of many elements; inside a transaction. */
  ListBulk<E> bulk() {
    return bulk;
  }

  Transactions transactions() {
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

  /** The number of elements, in constant time. */
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
  public boolean contains(@Nullable Object o) {
    return indexOf(o) >= 0;
  }

  @Override
  public int indexOf(@Nullable Object o) {
    ListCursor<E> cursor = new ListCursor<>(this, null, 0);
    while (o != null && cursor.hasNext()) {
      if (Contents.same(o, cursor.next())) {
        return cursor.previousIndex();
      }
    }
    return -1;
  }

  @Override
  public int lastIndexOf(@Nullable Object o) {
    ListCursor<E> cursor = new ListCursor<>(this, null, size());
    while (o != null && cursor.hasPrevious()) {
      if (Contents.same(o, cursor.previous())) {
        return cursor.nextIndex();
      }
    }
    return -1;
  }

  @Override
  public void forEach(Consumer<? super E> action) {
    Objects.requireNonNull(action, "action");
    new ListCursor<>(this, null, 0).forEachRemaining(action);
  }

  @Override
  public Iterator<E> iterator() {
    return new ListCursor<>(this, null, 0);
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
    return new ListCursor<>(this, null, 0);
  }

  @Override
  public ListIterator<E> listIterator(int index) {
    Objects.checkIndex(index, size() + 1L);
    return new ListCursor<>(this, null, index);
  }

  /** Late-binding: it covers the elements that there are when it is first used. */
  @Override
  public Spliterator<E> spliterator() {
    return new TreeSpliterator<>(reader);
  }

  /**
   * A view of a part of this list. It stays right through its own changes, also if they are rolled
   * back; when the list changes its size otherwise, what the view shows is undefined.
   */
  @Override
  public List<E> subList(int fromIndex, int toIndex) {
    Objects.checkFromToIndex(fromIndex, toIndex, size());
    return new DurableSubList<>(this, null, fromIndex, toIndex - fromIndex);
  }

  // ---- Changing one element -------------------------------------------------------------------

  @Override
  public boolean add(E element) {
    Objects.requireNonNull(element, "element");
    if (values.mustBegin()) {
      return Atomic.call(tx, () -> add(element));
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
      Atomic.run(tx, () -> add(index, element));
      return;
    }
    Encoded encoded = encode(element);
    Atomic.run(
        tx,
        () -> {
          Objects.checkIndex(index, aliveSize() + 1);
          bulk.requireRoomFor(1);
          inserts.insert(index, values.store(encoded));
        });
  }

  @Override
  public E set(int index, E element) {
    if (values.mustBegin()) {
      return Atomic.call(tx, () -> set(index, element));
    }
    Encoded encoded = encode(element);
    return Atomic.call(
        tx,
        () -> {
          Objects.checkIndex(index, aliveSize());
          long old = tree.get(index);
          E before = values.get(old);
          bulk.replace(index, old, values.store(encoded));
          return before;
        });
  }

  @Override
  public E remove(int index) {
    return Atomic.call(
        tx,
        () -> {
          Objects.checkIndex(index, aliveSize());
          return take(index);
        });
  }

  @Override
  public E removeFirst() {
    return Atomic.call(
        tx,
        () -> {
          requireNotEmpty();
          return take(0);
        });
  }

  @Override
  public E removeLast() {
    return Atomic.call(
        tx,
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
    E element = values.get(tree.get(index));
    removals.remove(index, 1);
    return element;
  }

  @Override
  public boolean remove(@Nullable Object o) {
    return Atomic.call(
        tx,
        () -> {
          int index = indexOf(o);
          if (index >= 0) {
            removals.remove(index, 1);
          }
          return index >= 0;
        });
  }

  // ---- Changing many elements -----------------------------------------------------------------

  @Override
  public boolean addAll(Collection<? extends E> elements) {
    Object[] added = elements.toArray();
    return Atomic.call(tx, () -> bulk.insert(aliveSize(), added));
  }

  @Override
  public boolean addAll(int index, Collection<? extends E> elements) {
    Object[] added = elements.toArray();
    return Atomic.call(
        tx,
        () -> {
          Objects.checkIndex(index, aliveSize() + 1);
          return bulk.insert(index, added);
        });
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
    return Atomic.call(tx, () -> bulk.removeIf(0, aliveSize(), filter) > 0);
  }

  @Override
  public void replaceAll(UnaryOperator<E> operator) {
    Objects.requireNonNull(operator, "operator");
    Atomic.run(tx, () -> bulk.replaceAll(0, aliveSize(), operator));
  }

  @Override
  public void sort(@Nullable Comparator<? super E> order) {
    Atomic.run(tx, () -> bulk.sort(0, aliveSize(), order));
  }

  @Override
  public void clear() {
    Atomic.run(
        tx,
        () -> {
          tree.checkAlive();
          TreeLifecycle.clear(engine, tree);
        });
  }

  @Override
  protected void removeRange(int fromIndex, int toIndex) {
    Atomic.run(
        tx,
        () -> {
          Objects.checkFromToIndex(fromIndex, toIndex, aliveSize());
          removals.remove(fromIndex, toIndex - fromIndex);
        });
  }

  // ---- Parts of the above -------------------------------------------------------------------

  /** The size, inside a transaction. */
  long aliveSize() {
    tree.checkAlive();
    return tree.plausibleSize();
  }

  boolean mustBegin() {
    return values.mustBegin();
  }

  Encoded encode(E element) {
    return values.encode(Objects.requireNonNull(element, "element"));
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
