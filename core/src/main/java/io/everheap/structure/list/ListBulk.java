package io.everheap.structure.list;

import io.everheap.structure.common.Contents;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.ValueStore;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Changes many elements of a list, or of a part of it, inside a transaction. The program's
 * functions run between reads and stores; a change of theirs is noticed before anything is stored.
 */
public final class ListBulk<E> {
  /** The most elements of a list. */
  public static final long MOST = Integer.MAX_VALUE;

  private final WordTree tree;
  private final ValueStore<E> values;
  private final TreeInserts inserts;
  private final TreeRemovals removals;

  public ListBulk(WordTree tree, ValueStore<E> values, TreeInserts inserts, TreeRemovals removals) {
    this.tree = tree;
    this.values = values;
    this.inserts = inserts;
    this.removals = removals;
  }

  public void requireRoomFor(int more) {
    if (Damage.requireCount(tree.memory(), tree.header(), tree.size()) > MOST - more) {
      throw new IllegalStateException(
          "a list of " + tree.size() + " elements, which cannot take " + more + " more");
    }
  }

  @SuppressWarnings("unchecked") // from a collection of E
  public boolean insert(long index, Object[] elements) {
    long[] words = new long[elements.length];
    requireRoomFor(elements.length);
    long size = tree.size();
    for (int i = 0; i < words.length; i++) {
      words[i] = values.store((E) Objects.requireNonNull(elements[i], "element"));
    }
    requireSame(size, tree.size());
    inserts.insert(index, words, words.length);
    return words.length > 0;
  }

  private static void requireSame(long expected, long found) {
    if (expected != found) {
      throw new ConcurrentModificationException("the list was changed by a function given to it");
    }
  }

  /** Exchanges one word for another and frees what the old one led to. */
  public void replace(long index, long old, long word) {
    WordTree.Path path = new WordTree.Path();
    tree.find(index, path);
    if (path.position >= tree.room(path.leaf)) {
      throw Damage.at(tree.header(), "a leaf of " + path.count + " words, which is too small");
    }
    tree.put(TreeLayout.word(path.leaf, path.position), word);
    values.free(tree.stripe(), old);
  }

  /** Removes an element if the word is still there. */
  public void remove(long index, long word) {
    requireWord(index, word);
    removals.remove(index, 1);
  }

  /** Replaces an element if the word is still there. Returns the new word. */
  public long set(long index, long word, Encoded value) {
    requireWord(index, word);
    long stored = values.store(value);
    replace(index, word, stored);
    return stored;
  }

  private void requireWord(long index, long word) {
    if (index >= tree.size() || tree.get(index) != word) {
      throw new ConcurrentModificationException("another element is at index " + index + " by now");
    }
  }

  private long[] words(long from, long to) {
    long[] words = new long[(int) (to - from)];
    for (int i = 0; i < words.length; i++) {
      words[i] = tree.get(from + i);
    }
    return words;
  }

  private void requireUnchanged(long size, long from, long[] words) {
    requireSame(size, tree.size());
    for (int i = 0; i < words.length; i++) {
      requireSame(words[i], tree.get(from + i));
    }
  }

  /** Returns how many elements went. */
  public int removeIf(long from, long to, Predicate<? super E> filter) {
    long size = tree.size();
    long[] words = words(from, to);
    BitSet doomed = new BitSet(words.length);
    for (int i = 0; i < words.length; i++) {
      long word = words[i];
      if (Contents.isAccepted(filter, () -> values.get(word))) {
        doomed.set(i);
      }
    }
    if (doomed.isEmpty()) {
      return 0;
    }
    requireUnchanged(size, from, words);
    for (int end = doomed.length(); end > 0; ) {
      int start = doomed.previousClearBit(end - 1) + 1;
      removals.remove(from + start, end - start);
      end = doomed.previousSetBit(start - 1) + 1;
    }
    return doomed.cardinality();
  }

  /** Decodes an element, for what needs all of them. */
  private E get(long index, long word) {
    return values.decodeAt(index, values.load(word));
  }

  public void replaceAll(long from, long to, UnaryOperator<E> operator) {
    long size = tree.size();
    for (long index = from; index < to; index++) {
      long word = tree.get(index);
      E value = Objects.requireNonNull(operator.apply(get(index, word)), "element");
      Encoded encoded = values.encode(value);
      requireSame(size, tree.size());
      requireSame(word, tree.get(index));
      replace(index, word, values.store(encoded));
    }
  }

  /** An element with the word that stands for it. */
  private record Place<E>(E value, long word) {}

  public void sort(long from, long to, @Nullable Comparator<? super E> order) {
    long size = tree.size();
    long[] words = words(from, to);
    @SuppressWarnings({"unchecked", "rawtypes"}) // there is no generic array
    Place<E>[] places = new Place[words.length];
    for (int i = 0; i < words.length; i++) {
      places[i] = new Place<>(get(from + i, words[i]), words[i]);
    }
    Arrays.sort(places, (a, b) -> compare(order, a.value, b.value));
    requireUnchanged(size, from, words);
    WordTree.Path path = new WordTree.Path();
    for (int i = 0; i < words.length; i++) {
      if (places[i].word != words[i]) {
        tree.find(from + i, path);
        tree.put(TreeLayout.word(path.leaf, path.position), places[i].word);
      }
    }
  }

  /** Compares by an order, or naturally. */
  @SuppressWarnings("unchecked") // what is not comparable shows as ClassCastException
  public static <E> int compare(@Nullable Comparator<? super E> order, E a, E b) {
    return order == null ? ((Comparable<? super E>) a).compareTo(b) : order.compare(a, b);
  }
}
