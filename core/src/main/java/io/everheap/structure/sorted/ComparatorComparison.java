package io.everheap.structure.sorted;

import io.everheap.structure.common.Coding;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.Guard;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Keys in the order of a comparator, which is the program's code: it is given only keys that were
 * read consistently, and what it throws passes as a {@link Failure} through all code that handles
 * failures of the heap.
 */
public final class ComparatorComparison<K> extends KeyComparison {
  private final SortedEntries entries;
  private final @Nullable Separators separators; // null if keys are words
  private final Coding<K> keys;
  private final Comparator<? super K> comparator;

  /** Carries what a comparator threw out to the caller of the collection's method. */
  static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final RuntimeException thrown;

    Failure(RuntimeException thrown) {
      super(null, thrown, false, false);
      this.thrown = thrown;
    }

    public RuntimeException thrown() {
      return thrown;
    }
  }

  ComparatorComparison(
      SortedNodes nodes,
      SortedEntries entries,
      @Nullable Separators separators,
      Coding<K> keys,
      Comparator<? super K> comparator) {
    super(nodes);
    this.entries = entries;
    this.separators = separators;
    this.keys = keys;
    this.comparator = comparator;
  }

  @Override
  public int compare(Encoded a, Encoded b) {
    K one = keys.decode(a);
    K other = keys.decode(b);
    try {
      return comparator.compare(one, other);
    } catch (RuntimeException e) {
      throw new Failure(e);
    }
  }

  @Override
  int compareEntry(long leaf, int place, int skip, Encoded key, Guard guard) {
    Encoded stored = entries.key(leaf, place, guard);
    guard.check();
    return compare(stored, key);
  }

  @Override
  int compareSeparator(long node, int place, int skip, Encoded key, Guard guard) {
    Encoded stored =
        separators == null
            ? Encoded.ofWord(nodes.head(node, place))
            : separators.load(node, place, 0, key, guard);
    guard.check();
    return compare(stored, key);
  }

  @Override
  long head(Encoded key, int skip) {
    return key.bytes == null ? key.word : 0;
  }

  @Override
  Encoded between(Encoded less, Encoded more) {
    return more;
  }
}
