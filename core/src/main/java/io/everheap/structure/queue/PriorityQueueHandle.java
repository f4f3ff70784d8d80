package io.everheap.structure.queue;

import io.everheap.codec.Codec;
import io.everheap.codec.ordered.OrderedForms;
import io.everheap.collection.DurablePriorityQueue;
import io.everheap.collection.StructureId;
import io.everheap.collection.Undecodable;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptValueException;
import io.everheap.structure.common.Blocking;
import io.everheap.structure.common.Contents;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.TransactionalQueue;
import io.everheap.structure.common.ValueStore;
import io.everheap.structure.list.ListBulk;
import io.everheap.structure.list.TreeInserts;
import io.everheap.structure.list.TreeLifecycle;
import io.everheap.structure.list.TreeReader;
import io.everheap.structure.list.TreeRemovals;
import io.everheap.structure.list.TreeSearch;
import io.everheap.structure.list.WordTree;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The handle of a {@link DurablePriorityQueue}: a {@link WordTree} of sorted words whose end is the
 * head, so that removing the head moves nothing. Each change is one transaction, or part of the one
 * that the thread runs; reads are optimistic. Thread-safe.
 */
public final class PriorityQueueHandle<E> extends TransactionalQueue<E>
    implements DurablePriorityQueue<E> {
  private final StructureContext heap;
  private final long reference;
  private final Transactions tx;
  private final WordTree tree;
  private final ValueStore<E> values;
  private final TreeReader<E> reader;
  private final TreeSearch search;
  private final TreeInserts inserts;
  private final TreeRemovals removals;
  private final ListBulk<E> bulk;
  private final @Nullable Comparator<? super E> order;
  private final boolean byWords; // whether words have the order of the elements

  PriorityQueueHandle(
      StructureContext heap,
      long reference,
      WordTree tree,
      Codec<E> codec,
      @Nullable Comparator<? super E> order) {
    super(heap, new Blocking(heap, reference));
    this.heap = heap;
    this.reference = reference;
    this.tx = heap.transactions();
    this.tree = tree;
    this.values = new ValueStore<>(heap, codec, heap.holder(reference));
    this.reader = new TreeReader<>(heap, tree, values);
    this.search = new TreeSearch(tree);
    this.inserts = new TreeInserts(tree);
    this.removals = new TreeRemovals(tree);
    this.bulk = new ListBulk<>(tree, values, inserts, removals);
    this.order = order;
    this.byWords = order == null && OrderedForms.hasSignedWords(codec);
  }

  /** A handle to what was freed: every method throws. */
  static <E> PriorityQueueHandle<E> dead(
      StructureContext heap,
      long reference,
      Codec<E> codec,
      @Nullable Comparator<? super E> order) {
    WordTree none = WordTree.dead(heap, reference);
    return new PriorityQueueHandle<>(heap, reference, none, codec, order);
  }

  @Override
  public StructureId id() {
    return new HeapStructureId(heap, reference);
  }

  @Override
  public @Nullable Comparator<? super E> comparator() {
    return order;
  }

  @Override
  protected long count() {
    return reader.size();
  }

  @Override
  public int remainingCapacity() {
    return Integer.MAX_VALUE;
  }

  @Override
  public @Nullable E peek() {
    try {
      return reader.last();
    } catch (CorruptValueException e) {
      return Contents.firstDecoded(iterator());
    }
  }

  @Override
  public boolean contains(@Nullable Object o) {
    long version = reader.version();
    boolean found = Contents.find(o, iterator());
    if (found || o == null || reader.isStill(version)) {
      return found;
    }
    return tx.exclusively(() -> Contents.find(o, iterator())); // the iterator may have missed it
  }

  @Override
  public Iterator<E> iterator() {
    return new PriorityIterator<>(this::removeWord, reader);
  }

  @Override
  public Iterator<Undecodable> undecodable() {
    return new PriorityIterator<>(this::removeWord, reader).undecodable();
  }

  // ---- Adding ---------------------------------------------------------------------------------
  @Override
  public boolean offer(E element) {
    if (values.mustBegin()) {
      return tx.call(() -> offer(element));
    }
    Encoded encoded = values.encode(Objects.requireNonNull(element, "element"));
    tx.run(() -> insert(element, encoded));
    return true;
  }

  private void insert(E element, Encoded encoded) {
    tree.checkAlive();
    bulk.requireRoomFor(1);
    long size = tree.plausibleSize();
    long index = place(element, encoded, size);
    inserts.insert(index, values.store(encoded));
    blocking().added();
  }

  /** The least index of an element that is not greater: behind it is all that comes before. */
  private long place(E element, Encoded encoded, long size) {
    if (size == 0) {
      ListBulk.compare(order, element, element); // as PriorityQueue: refuses what has no order
      if (tree.size() != 0) {
        throw changed();
      }
      return 0;
    }
    if (byWords) {
      long own = encoded.word;
      return search.count(size, word -> word > own);
    }
    try {
      return search.count(size, word -> isGreater(decode(word), element, size));
    } catch (Undecoded e) {
      return placeAmong(element, size);
    }
  }

  /** An element that is compared with a new one does not decode. */
  private static final class Undecoded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Undecoded() {
      super("", null, false, false);
    }
  }

  private E decode(long word) {
    try {
      return values.get(word);
    } catch (CorruptValueException e) {
      throw new Undecoded();
    }
  }

  /** The place of an element by those elements that decode: the others are not compared. */
  private long placeAmong(E element, long size) {
    long low = 0;
    long high = size;
    while (low < high) {
      long middle = (low + high) >>> 1;
      long at = middle;
      E other = decoded(at, size);
      while (other == null && ++at < high) {
        other = decoded(at, size);
      }
      if (other == null) {
        for (at = middle - 1; at >= low && other == null; at--) {
          other = decoded(at, size);
        }
        at++;
      }
      if (other == null) {
        return high; // none of those that are left decodes
      }
      if (isGreater(other, element, size)) {
        low = at + 1;
      } else {
        high = at;
      }
    }
    return low;
  }

  private @Nullable E decoded(long index, long size) {
    try {
      E element = values.get(tree.get(index));
      requireSize(size);
      return element;
    } catch (CorruptValueException e) {
      requireSize(size);
      return null;
    }
  }

  private void requireSize(long size) {
    if (tree.size() != size) {
      throw changed();
    }
  }

  private boolean isGreater(E other, E element, long size) {
    boolean greater = ListBulk.compare(order, other, element) > 0;
    requireSize(size);
    return greater;
  }

  private static ConcurrentModificationException changed() {
    return new ConcurrentModificationException("the comparator changed the queue");
  }

  @Override
  public boolean add(E element) {
    return offer(element);
  }

  @Override
  public void put(E element) {
    offer(element);
  }

  @Override
  public boolean offer(E element, long timeout, TimeUnit unit) {
    return offer(element);
  }

  // ---- Removing -------------------------------------------------------------------------------
  @Override
  public @Nullable E poll() {
    return tx.call(this::takeHead);
  }

  @Override
  protected @Nullable E takeHead() {
    try {
      return tx.<@Nullable E, RuntimeException>call(this::removeHead);
    } catch (CorruptValueException e) { // the removal was undone
      return heads().get();
    }
  }

  /** The head is decoded after it was removed: its codec may change the queue. */
  private @Nullable E removeHead() {
    tree.checkAlive();
    long size = tree.size();
    if (size <= 0) {
      return null;
    }
    Encoded head = values.load(tree.get(size - 1));
    removals.remove(size - 1, 1);
    return values.decode(head);
  }

  /** Elements are decoded first; if their codec changes the queue, the search starts again. */
  @Override
  protected Supplier<@Nullable E> heads() {
    return new Supplier<@Nullable E>() {
      private long passed; // elements at the end of the tree that do not decode

      @Override
      public @Nullable E get() {
        tree.checkAlive();
        for (long at = tree.size() - 1 - passed; at >= 0; ) {
          long size = tree.size();
          long word = tree.get(at);
          E element = decodedOrNull(word);
          tree.checkAlive();
          if (tree.size() != size || tree.get(at) != word) {
            passed = 0;
            at = tree.size() - 1;
          } else if (element != null) {
            removals.remove(at, 1);
            return element;
          } else {
            passed++;
            at--;
          }
        }
        return null;
      }
    };
  }

  private @Nullable E decodedOrNull(long word) {
    try {
      return values.get(word);
    } catch (CorruptValueException e) {
      return null; // it stays where it is
    }
  }

  @Override
  public boolean remove(@Nullable Object o) {
    return tx.call(
        () -> {
          Iterator<E> i = iterator();
          boolean found = Contents.find(o, i);
          if (found) {
            i.remove();
          }
          return found;
        });
  }

  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    Objects.requireNonNull(filter, "filter");
    return tx.call(
        () -> {
          tree.checkAlive();
          return bulk.removeIf(0, tree.plausibleSize(), filter) > 0;
        });
  }

  @Override
  public void clear() {
    tx.run(
        () -> {
          tree.checkAlive();
          TreeLifecycle.clear(heap, tree);
        });
  }

  /** Removes the element with a word, for an iterator; returns where it was, or -1. */
  private long removeWord(long word, long index) {
    return tx.call(
        () -> {
          long now = reader.find(word, index, Long.MAX_VALUE);
          if (now >= 0) {
            removals.remove(now, 1);
          }
          return now;
        });
  }
}
