package io.everheap.structure.list;

import io.everheap.engine.tx.Transactions;
import io.everheap.structure.common.Encoded;
import java.util.List;

/** A list as its iterators and sublists use it, which see positions and words. */
interface ListStore<E> extends List<E> {
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
