package io.everheap.cache;

import io.everheap.cache.codec.ReformedCodec;
import io.everheap.cache.store.BlockStore;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Gives the entries of a file the keys that the codec writes, where an earlier build wrote others
 * for equal keys. It is done once, by the first thread that needs it, while the others wait: until
 * then an entry could be served under one key that was replaced or removed under an equal one.
 *
 * <p>The newest of several entries whose keys are equal now is kept. The file notes that it is done
 * when the changes are durable; after a crash it is done again, and finds what is left. An earlier
 * build that opens the file clears the note, and what was stored in the present form before that is
 * dropped by the next opening: the earlier build could neither replace nor remove it.
 *
 * <p>It takes the lock of the store only, not those of keys: a thread that holds one may wait here.
 *
 * <pre>
 *   field  mode      guard
 *   done   volatile  set once, under the lock
 * </pre>
 */
final class FormerKeys<K> {
  private final BlockCache blocks;
  private final BlockStore store;
  private final @Nullable ReformedCodec<K> codec;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean done;

  /** An entry with a key in a former form, or in one that is not to be believed. */
  private record Found(int slot, long sequence, boolean isFormer) {}

  /**
   * Of a cache.
   *
   * @param codec of its keys; null if no build wrote them in another form
   */
  FormerKeys(BlockCache blocks, @Nullable ReformedCodec<K> codec) {
    this.blocks = blocks;
    this.store = blocks.store();
    this.codec = codec;
    this.done = codec == null || store.isReformed();
  }

  /** Waits until an entry that is under another form of a key can be found by it. */
  void await(byte[] key) {
    ReformedCodec<K> its = codec;
    if (!done && its != null && its.isReformed(key)) {
      await(its);
    }
  }

  /** Waits until all keys have the present form. */
  void awaitAll() {
    ReformedCodec<K> its = codec;
    if (!done && its != null) {
      await(its);
    }
  }

  private void await(ReformedCodec<K> its) {
    if (lock.isHeldByCurrentThread()) {
      return; // a listener of an entry that made room uses the cache
    }
    lock.lock();
    try {
      if (!done) {
        reform(its);
        done = true;
      }
    } finally {
      lock.unlock();
    }
  }

  private void reform(ReformedCodec<K> its) {
    blocks.awaitIndexed();
    List<Found> found = new ArrayList<>();
    boolean allRead = true;
    for (int i = 0; i < store.segments(); i++) {
      allRead &= find(i, its, found);
    }
    found.stream()
        .filter(each -> !each.isFormer)
        .forEach(each -> store.rename(each.slot, each.sequence, key -> null));
    found.stream()
        .filter(Found::isFormer)
        .sorted(Comparator.comparingLong(Found::sequence).reversed())
        .forEach(each -> store.rename(each.slot, each.sequence, key -> presentOrSame(its, key)));
    if (allRead) {
      blocks.sync();
      store.setReformed();
    }
  }

  /** Finds the entries of a segment that need another key; false if a key cannot be read. */
  private boolean find(int segment, ReformedCodec<K> its, List<Found> found) {
    boolean[] allRead = {true};
    boolean _ =
        store.visit(
            segment,
            (slot, key) -> {
              long sequence = store.sequence(slot);
              if (its.isReformed(key)) {
                if (sequence < store.formed()) {
                  found.add(new Found(slot, sequence, false));
                }
              } else if (its.mayBeFormer(key)) {
                try {
                  if (isFormer(its, key)) {
                    found.add(new Found(slot, sequence, true));
                  }
                } catch (RuntimeException | LinkageError | StackOverflowError e) {
                  allRead[0] = false; // a class is missing or changed now; a later one may fit
                }
              }
              return true;
            });
    return allRead[0];
  }

  /** The present form of a key that was read before; the key if that fails now. */
  private static <K> byte @Nullable [] presentOrSame(ReformedCodec<K> codec, byte[] former) {
    try {
      return present(codec, former);
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      return former;
    }
  }

  private static <K> boolean isFormer(ReformedCodec<K> codec, byte[] key) {
    byte[] present = present(codec, key);
    return present == null || codec.isReformed(present);
  }

  /** The present form of a key; null if it is one that is refused. */
  private static <K> byte @Nullable [] present(ReformedCodec<K> codec, byte[] former) {
    K key = codec.read(new CodecInput(former));
    var out = new CodecOutput();
    try {
      codec.write(key, out);
    } catch (IllegalArgumentException e) {
      return null;
    }
    return out.toByteArray();
  }
}
