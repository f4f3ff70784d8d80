package io.everheap.structure.sorted;

import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.Guard;

/** Keys that are words, ordered as unsigned numbers. */
public final class WordComparison extends KeyComparison {
  WordComparison(SortedNodes nodes) {
    super(nodes);
  }

  @Override
  public int compare(Encoded a, Encoded b) {
    return Long.compareUnsigned(a.word, b.word);
  }

  @Override
  int compareEntry(long leaf, int place, int skip, Encoded key, Guard guard) {
    return Long.compareUnsigned(nodes.head(leaf, place), key.word);
  }

  @Override
  int compareSeparator(long node, int place, int skip, Encoded key, Guard guard) {
    return Long.compareUnsigned(nodes.head(node, place), key.word);
  }

  @Override
  long head(Encoded key, int skip) {
    return key.word;
  }

  @Override
  Encoded between(Encoded less, Encoded more) {
    return more;
  }
}
