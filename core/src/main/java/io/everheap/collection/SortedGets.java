package io.everheap.collection;

import io.everheap.codec.WordCodec;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.memory.Region;
import org.jspecify.annotations.Nullable;

/**
 * Finds the value of one key. If keys and values are words, in their own order, that makes no
 * garbage and validates hand over hand (Leis et al., The ART of Practical Synchronization, DaMoN
 * 2016): a node is known to be the right one if, after its version was sampled, the node above is
 * unchanged; so only the leaf must be unchanged at the end.
 */
final class SortedGets<V> {
  private final HeapMemory memory;
  private final Transactions tx;
  private final Stripes stripes;
  private final SortedTree tree;
  private final Coding<V> values;
  private final @Nullable WordCodec<V> words; // of values, if the fast way can be taken
  private final long header;
  private final long headerWord;
  private final long nearStart;

  SortedGets(Engine engine, SortedTree tree, Coding<V> values) {
    this.memory = engine.memory();
    this.tx = engine.transactions();
    this.stripes = tx.stripes();
    this.tree = tree;
    this.values = values;
    this.words = tree.comparison() instanceof WordComparison ? values.word() : null;
    this.header = tree.header();
    this.headerWord = tree.headerWord();
    this.nearStart = memory.extentStart(header);
  }

  /** The value of a key that is a word, or null. */
  @Nullable V get(long key) {
    WordCodec<V> codec = words;
    for (int i = 0; codec != null && i < OptimisticReads.ATTEMPTS && !tx.isWriter(); i++) {
      int stripe = tree.headerStripe();
      long version = stripes.sample(stripe);
      if ((version & 1) != 0) {
        Thread.onSpinWait();
        continue;
      }
      try {
        Region near = memory.extent(header);
        if (load(near, header) != headerWord) {
          break; // the general way says why
        }
        long node = Reference.address(load(near, header + SortedLayout.ROOT));
        int level = SortedLayout.MAX_LEVEL + 1;
        while (node != 0) {
          int below = SortedLayout.stripe(node);
          long sampled = stripes.sample(below);
          if ((sampled & 1) != 0 || !stripes.valid(stripe, version)) {
            break;
          }
          stripe = below;
          version = sampled;
          long info = load(near, node + SortedLayout.INFO);
          if (SortedLayout.level(info) >= level
              || SortedLayout.count(info) > SortedLayout.CAPACITY) {
            break;
          }
          level = SortedLayout.level(info);
          if (level == 0) {
            long at = entry(near, node, SortedLayout.count(info), key);
            long value = at == 0 ? 0 : load(near, at);
            if (!stripes.valid(stripe, version)) {
              break;
            }
            tx.checkRead();
            return at == 0 ? null : codec.fromWord(value);
          }
          node = child(near, node, SortedLayout.count(info), key);
        }
        if (node == 0 && level > SortedLayout.MAX_LEVEL && stripes.valid(stripe, version)) {
          tx.checkRead();
          return null;
        }
      } catch (RuntimeException e) {
        break; // the general way sorts out why
      }
    }
    return get(Encoded.ofWord(key));
  }

  /** The value of a key, or null. */
  @Nullable V get(Encoded key) {
    Encoded value =
        tree.read(
            guard -> {
              SortedPath path = new SortedPath();
              if (tree.find(key, path, guard) < 0) {
                return Encoded.NOTHING;
              }
              int place = tree.nodes().place(path.leaf(), path.at());
              return tree.entries().value(path.leaf(), place, guard);
            });
    return value == Encoded.NOTHING ? null : values.decode(value);
  }

  /** Address of the payload of a key in a leaf, or 0. */
  private long entry(Region near, long leaf, int count, long key) {
    int low = 0;
    int high = count - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      long place = leaf + 8L * place(near, leaf, middle);
      int c = Long.compareUnsigned(load(near, place + SortedLayout.HEADS), key);
      if (c < 0) {
        low = middle + 1;
      } else if (c > 0) {
        high = middle - 1;
      } else {
        return place + SortedLayout.PAYLOADS;
      }
    }
    return 0;
  }

  /** Address of the child of an inner node that a key belongs to. */
  private long child(Region near, long node, int count, long key) {
    int low = 1;
    int high = count - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      long head = load(near, node + 8L * place(near, node, middle) + SortedLayout.HEADS);
      if (Long.compareUnsigned(head, key) <= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    long place = node + 8L * place(near, node, low - 1);
    return Reference.address(load(near, place + SortedLayout.PAYLOADS));
  }

  private int place(Region near, long node, int position) {
    long word = load(near, node + SortedLayout.ORDER + (position & ~7));
    return (int) (word >>> ((position & 7) << 3)) & 0x3f;
  }

  /** Loads a committed word, most likely from the extent of the header. */
  private long load(Region near, long address) {
    long offset = address - nearStart;
    return offset >= 0 && offset <= near.size() - Long.BYTES
        ? near.getLong(offset)
        : memory.getCommitted(address);
  }
}
