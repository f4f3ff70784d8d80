package io.everheap.infinispan;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSortedSet;
import io.everheap.error.CorruptValueException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.infinispan.commons.io.ByteBuffer;
import org.infinispan.commons.io.ByteBufferImpl;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one segment of a cache, or of a cache that is not segmented. Entries that expire
 * are also in a sorted set, by their deadlines: what is expired is found without looking at what is
 * not.
 *
 * <p>Thread-safe. Methods that change something are called inside a transaction.
 */
final class Segment {
  private final DurableMap<ByteBuffer, StoredEntry> entries;

  /** The same map, of which only the deadlines are decoded. */
  private final DurableMap<ByteBuffer, Long> deadlines;

  /** Each element is a deadline, big-endian, and then the key. */
  private final DurableSortedSet<byte[]> expiring;

  /** An entry with its key. */
  record Keyed(ByteBuffer key, StoredEntry entry) {}

  private Segment(Heap heap, String root) {
    entries = heap.root(root, DurableMap.of(KeyCodec.INSTANCE, StoredEntry.CODEC));
    deadlines = heap.root(root, DurableMap.of(KeyCodec.INSTANCE, StoredEntry.DEADLINE));
    expiring = heap.sortedSet(expiringRoot(root), byte[].class);
  }

  /** Finds a segment, or makes an empty one. */
  static Segment open(Heap heap, String root) {
    return new Segment(heap, root);
  }

  /** Removes a segment with all its entries. */
  static void remove(Heap heap, String root) {
    heap.remove(root);
    heap.remove(expiringRoot(root));
  }

  private static String expiringRoot(String root) {
    return root + "/expiring";
  }

  @Nullable StoredEntry get(ByteBuffer key) {
    return entries.get(key);
  }

  void put(ByteBuffer key, StoredEntry entry) {
    if (entry.isMortal() || !expiring.isEmpty()) {
      Long before = deadlines.get(key);
      if (before == null || before != entry.deadline()) {
        forget(key, before);
        if (entry.isMortal()) {
          expiring.add(element(entry.deadline(), key));
        }
      }
    }
    entries.set(key, entry);
  }

  /** Returns whether there was an entry that is not expired. */
  boolean remove(ByteBuffer key, long now) {
    Long deadline = deadlines.remove(key);
    forget(key, deadline);
    return deadline != null && (deadline == StoredEntry.NEVER || deadline > now);
  }

  private void forget(ByteBuffer key, @Nullable Long deadline) {
    if (deadline != null && deadline != StoredEntry.NEVER) {
      expiring.remove(element(deadline, key));
    }
  }

  void clear() {
    if (!entries.isEmpty()) {
      entries.clear();
      expiring.clear();
    }
  }

  /** The number of entries, with those that are expired and not purged. */
  long sizeWithExpired() {
    return entries.sizeLong();
  }

  /**
   * The number of entries that are not expired: in constant time and that of counting the expired.
   */
  long size(long now) {
    long size = entries.sizeLong();
    return size == 0 || expiring.isEmpty() ? size : Math.max(0, size - countExpired(now));
  }

  private long countExpired(long now) {
    long count = 0;
    for (Iterator<byte[]> all = expiring.iterator(); all.hasNext(); ) {
      if (deadline(all.next()) > now) {
        break;
      }
      count++;
    }
    return count;
  }

  /** Whether {@link #purge} would find something. */
  boolean hasExpired(long now) {
    Iterator<byte[]> first = expiring.iterator();
    return first.hasNext() && deadline(first.next()) <= now;
  }

  /**
   * Removes entries that are expired.
   *
   * @param most that are removed
   * @param mostBytes of values after which no more are removed
   */
  List<Keyed> purge(long now, int most, long mostBytes) {
    var elements = new ArrayList<byte[]>();
    for (byte[] element : expiring) {
      if (deadline(element) > now || elements.size() == most) {
        break;
      }
      elements.add(element);
    }
    var purged = new ArrayList<Keyed>();
    long bytes = 0;
    for (byte[] element : elements) {
      if (bytes >= mostBytes) {
        break;
      }
      expiring.remove(element);
      var key = ByteBufferImpl.create(Arrays.copyOfRange(element, Long.BYTES, element.length));
      StoredEntry entry = take(key);
      if (entry != null) {
        purged.add(new Keyed(key, entry));
        bytes += entry.value() == null ? 0 : entry.value().getLength();
      }
    }
    return purged;
  }

  /** Removes an entry; null if there is none, or if its stored form does not decode. */
  private @Nullable StoredEntry take(ByteBuffer key) {
    try {
      return entries.remove(key);
    } catch (CorruptValueException e) {
      entries.delete(key);
      return null;
    }
  }

  /**
   * All entries, with those that are expired; weakly consistent.
   *
   * @param skipped gets the reasons of entries whose stored form does not decode
   */
  Iterator<Keyed> iterator(Consumer<CorruptValueException> skipped) {
    var all = entries.entrySet().iterator();
    return new Iterator<>() {
      private @Nullable Keyed next;

      @Override
      public boolean hasNext() {
        while (next == null && all.hasNext()) {
          try {
            var entry = all.next();
            next = new Keyed(entry.getKey(), entry.getValue());
          } catch (CorruptValueException e) {
            skipped.accept(e);
          }
        }
        return next != null;
      }

      @Override
      public Keyed next() {
        Keyed found = hasNext() ? next : null;
        if (found == null) {
          throw new NoSuchElementException();
        }
        next = null;
        return found;
      }
    };
  }

  private static byte[] element(long deadline, ByteBuffer key) {
    return java.nio.ByteBuffer.allocate(Long.BYTES + key.getLength())
        .putLong(deadline)
        .put(key.getBuf(), key.getOffset(), key.getLength())
        .array();
  }

  private static long deadline(byte[] element) {
    if (element.length < Long.BYTES) {
      throw new CorruptValueException(
          "found " + element.length + " bytes in the place of a deadline and a key");
    }
    return java.nio.ByteBuffer.wrap(element).getLong();
  }
}
