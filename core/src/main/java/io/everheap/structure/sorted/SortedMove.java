package io.everheap.structure.sorted;

import io.everheap.collection.Structure;
import io.everheap.engine.alloc.Reference;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.StructureTypes;

/**
 * Moves the upper part of a sorted map or set to another one. If both headers name the same types,
 * the stored form of the entries fits both, and nodes move ({@link SortedSplit}). Otherwise values
 * of several versions of the program are involved, and each entry is decoded and stored again.
 *
 * @param <K> the keys
 * @param <V> the values
 */
final class SortedMove<K, V> {
  private final SortedStore<K, V> source;
  private final SortedStore<K, V> target;

  SortedMove(SortedStore<K, V> source, SortedStore<K, V> target) {
    this.source = source;
    this.target = target;
  }

  static IllegalArgumentException notOfThisLibrary(Structure target) {
    return new IllegalArgumentException(
        "the target is a " + target.getClass().getName() + ", no structure of a heap");
  }

  /** Moves all entries from a key on, in a transaction; returns how many. */
  long moveTail(Encoded key) {
    return source.inTransaction(() -> inTransaction(key));
  }

  private long inTransaction(Encoded key) {
    SortedTree from = source.tree();
    SortedTree to = target.tree();
    from.checkAlive();
    if (!target.heap().equals(source.heap())) {
      throw new IllegalArgumentException("the target belongs to another heap");
    }
    to.checkAlive();
    if (to.header() == from.header()) {
      throw new IllegalArgumentException("the target is the map or set whose entries move");
    }
    if (to.root() != Reference.NULL) {
      throw new IllegalArgumentException("the target is not empty");
    }
    StructureTypes types = StructureTypes.of(source.heap(), from.reference());
    StructureTypes others = StructureTypes.of(source.heap(), to.reference());
    if (!types.numbers().getLast().equals(others.numbers().getLast())) {
      throw new IllegalArgumentException("the target has another order of keys");
    }
    // A collection must know that both are in use: the references in the entries move unseen.
    source.heap().transactions().storing(from.reference());
    source.heap().transactions().storing(to.reference());
    return types.equals(others)
        ? new SortedSplit(from, source.writer(), target.writer()).move(key)
        : copy(key);
  }

  private long copy(Encoded key) {
    long moved = 0;
    var tail = new KeyRange(key, true, null, true);
    var cursor = new SortedCursor(source, tail, false, true);
    while (cursor.advance()) {
      K decoded = source.key(cursor.batch(), cursor.position());
      V value = source.value(cursor.batch(), cursor.position());
      target.set(target.encodeKey(decoded), target.encodeValue(value));
      source.remove(cursor.key());
      moved++;
    }
    return moved;
  }
}
