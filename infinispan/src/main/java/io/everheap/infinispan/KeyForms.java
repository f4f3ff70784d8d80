package io.everheap.infinispan;

import io.everheap.Heap;
import io.everheap.codec.contract.Containers;
import io.everheap.codec.contract.NormalForms;
import io.everheap.infinispan.Segment.Keyed;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.infinispan.commons.io.ByteBuffer;
import org.infinispan.marshall.persistence.PersistenceMarshaller;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.infinispan.persistence.spi.PersistenceException;
import org.jspecify.annotations.Nullable;

/**
 * Marshals keys so that equal lists, sets and maps have the same bytes, whatever their class and
 * the order of their elements. What is within an object of a program's own class is marshalled as
 * its marshaller does.
 *
 * <p>Earlier builds marshalled such keys as they were. The first of them that is used gives all
 * entries of the cache their present keys, in transactions, and other threads wait for that; keys
 * of other classes never do. The cache notes that it is done.
 *
 * <p>Thread-safe.
 *
 * <pre>
 *   field   mode      guard
 *   formed  volatile  set once, under this object's monitor
 * </pre>
 */
final class KeyForms {
  private static final Logger LOGGER = System.getLogger(KeyForms.class.getName());
  private static final int AT_ONCE = 256;

  private final Entries cache;
  private final PersistenceMarshaller marshaller;
  private volatile boolean formed;

  /** The entries of a cache, and its note of the form of their keys. */
  interface Entries {
    /** The name of the cache. */
    String name();

    /** The heap that the cache is in. */
    Heap heap();

    /** All segments. */
    Stream<Segment> segments();

    /** Whether all keys have their present form. */
    boolean isFormed();

    /** All keys have their present form; called inside a transaction. */
    void setFormed();
  }

  /** A key that has other bytes now. */
  private record Former(Segment segment, ByteBuffer key, ByteBuffer present, long created) {}

  KeyForms(Entries cache, PersistenceMarshaller marshaller) {
    this.cache = cache;
    this.marshaller = marshaller;
    this.formed = cache.isFormed();
  }

  /**
   * The bytes of a key; an entry that an earlier build stored under others has these then. Not
   * called inside a transaction.
   */
  ByteBuffer key(Object key) {
    return marshal(form(key));
  }

  /** The bytes of an entry's key. */
  @SuppressWarnings("ReferenceEquality") // what has no other form is returned itself
  ByteBuffer key(MarshallableEntry<?, ?> entry) {
    Object key = entry.getKey();
    Object form = form(key);
    return form == key ? entry.getKeyBytes() : marshal(form);
  }

  @SuppressWarnings("ReferenceEquality") // as above
  private Object form(Object key) {
    Object form = new Forming().form(key);
    if (form != key && !formed) {
      reform();
    }
    return form;
  }

  /**
   * The present bytes of a key that may be that of an earlier build; its own if it has no others.
   */
  @SuppressWarnings("ReferenceEquality") // as above
  ByteBuffer present(ByteBuffer stored) {
    Object key = unmarshal(stored);
    if (key == null) {
      return stored;
    }
    try {
      Object form = form(key);
      return form == key ? stored : marshal(form);
    } catch (IllegalArgumentException e) {
      return stored; // keys like it are refused now, but this one was prepared
    }
  }

  private ByteBuffer marshal(Object key) {
    try {
      return marshaller.objectToBuffer(key);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PersistenceException("a key cannot be marshalled", e);
    } catch (Exception e) {
      throw new PersistenceException("a key cannot be marshalled", e);
    }
  }

  /** Unmarshals a key; null if it cannot be. */
  @Nullable Object unmarshal(ByteBuffer key) {
    try {
      return marshaller.objectFromByteBuffer(key.getBuf(), key.getOffset(), key.getLength());
    } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError e) {
      return null; // of a class that is missing, or that the marshaller does not know
    }
  }

  /** Makes a key that is marshalled the same way as all that are equal to it. */
  private final class Forming {
    /** Equal parts are one object: some marshallers refer back to what they have written. */
    private final Map<java.nio.ByteBuffer, Object> parts = new HashMap<>();

    /** The key itself if it is no container. */
    Object form(Object key) {
      Object normal = NormalForms.of(key);
      if (normal != null) {
        return normal;
      }
      Containers.Kind kind = Containers.kind(key);
      return switch (kind) {
        case LIST -> {
          List<@Nullable Object> list = new ArrayList<>();
          ((List<?>) key).forEach(element -> list.add(part(element)));
          yield list;
        }
        case SET -> {
          List<@Nullable Object> elements = new ArrayList<>();
          ((Set<?>) key).forEach(element -> elements.add(part(element)));
          elements.sort(Comparator.comparing(this::bytes));
          yield new LinkedHashSet<>(elements);
        }
        case MAP -> {
          List<@Nullable Object> keys = new ArrayList<>();
          Map<@Nullable Object, @Nullable Object> values = new HashMap<>();
          ((Map<?, ?>) key)
              .forEach(
                  (each, value) -> {
                    Object its = part(each);
                    keys.add(its);
                    values.put(its, part(value));
                  });
          keys.sort(Comparator.comparing(this::bytes));
          Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
          keys.forEach(each -> map.put(each, values.get(each)));
          yield map;
        }
        case ENTRY -> key;
        case null -> key;
      };
    }

    private @Nullable Object part(@Nullable Object element) {
      if (element == null) {
        return null;
      }
      Object form = form(element);
      return parts.computeIfAbsent(bytes(form), bytes -> form);
    }

    private java.nio.ByteBuffer bytes(@Nullable Object part) {
      if (part == null) {
        return java.nio.ByteBuffer.allocate(0);
      }
      return wrap(marshal(part));
    }
  }

  private static java.nio.ByteBuffer wrap(ByteBuffer bytes) {
    return java.nio.ByteBuffer.wrap(bytes.getBuf(), bytes.getOffset(), bytes.getLength());
  }

  // ---- Keys of earlier builds ---------------------------------------------------------------

  private synchronized void reform() {
    if (formed) {
      return;
    }
    List<Former> found = new ArrayList<>();
    boolean allRead =
        cache.segments().map(segment -> find(segment, found)).reduce(true, Boolean::logicalAnd);
    // The newest last: then a part of this that is done again after a failure changes nothing.
    found.sort(Comparator.comparingLong(Former::created));
    Set<java.nio.ByteBuffer> made = new HashSet<>();
    int equal = 0;
    for (int from = 0; from < found.size(); from += AT_ONCE) {
      List<Former> some = found.subList(from, Math.min(found.size(), from + AT_ONCE));
      equal += cache.heap().transact(() -> rename(some, made));
    }
    if (equal > 0) {
      LOGGER.log(
          Level.WARNING,
          "the cache ''{0}'' had {1} entries under keys that are equal to others; of each the one"
              + " that was created last is kept, or any if they do not tell",
          cache.name(),
          equal);
    }
    if (allRead) {
      cache.heap().transact(cache::setFormed);
    }
    formed = true;
  }

  /** Finds keys that have other bytes now; false if there is one that cannot be read. */
  private boolean find(Segment segment, List<Former> found) {
    boolean[] damaged = {false};
    boolean allRead = true;
    Iterator<Keyed> all = segment.iterator(failure -> damaged[0] = true);
    while (all.hasNext()) {
      ByteBuffer stored = all.next().key();
      Object key = unmarshal(stored);
      if (key == null) {
        allRead = false;
        continue;
      }
      ByteBuffer present;
      try {
        present = presentOf(key);
      } catch (RuntimeException e) { // its elements cannot be marshalled
        allRead = false;
        continue;
      }
      StoredEntry entry = present == null || present.equals(stored) ? null : segment.get(stored);
      if (present != null && entry != null) {
        found.add(new Former(segment, stored, present, entry.created()));
      }
    }
    return allRead && !damaged[0];
  }

  /** The bytes of a container; null for another key, and for one that is refused. */
  @SuppressWarnings("ReferenceEquality") // as above
  private @Nullable ByteBuffer presentOf(Object key) {
    try {
      Object form = new Forming().form(key);
      return form == key ? null : marshal(form);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * Moves entries to their present keys; returns how many others were there.
   *
   * @param made present keys that were not there before
   */
  private static int rename(List<Former> some, Set<java.nio.ByteBuffer> made) {
    int equal = 0;
    for (Former each : some) {
      StoredEntry entry = each.segment.get(each.key);
      if (entry == null) {
        continue;
      }
      StoredEntry other = each.segment.get(each.present);
      equal += other == null ? 0 : 1;
      boolean _ = each.segment.remove(each.key, Long.MAX_VALUE);
      // One that was there before was stored before an earlier build opened the heap again.
      boolean isNewer =
          made.add(wrap(each.present)) || other == null || other.created() <= entry.created();
      if (isNewer) {
        each.segment.put(each.present, entry);
      }
    }
    return equal;
  }
}
