package io.everheap.cache.table;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntPredicate;

/**
 * Leads from the hashes of keys to slots: tables of open addressing outside of the Java heap, with
 * one word of 8 bytes for each entry: 32 bits of the hash and the slot's number.
 *
 * <p>Any thread may search: it walks {@link Table#word} from {@link Table#first} until it meets
 * {@link #EMPTY}. Changes are made under the cache's lock. A search that found nothing is repeated
 * if {@link Table#replaced} changed meanwhile, or if {@link #table} is another one: a table that
 * was replaced is not changed any more.
 */
public final class SlotIndex {
  /** The word behind the last one of a search. */
  public static final long EMPTY = 0;

  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
  private static final long DELETED = 0xFFFF_FFFFL;
  private static final int SHARD_BITS = 8;
  private static final int LEAST = 16;

  private final AtomicReferenceArray<Table> tables;
  private long size;

  /** A table of one shard. */
  public static final class Table {
    private final MemorySegment words;
    private final int capacity;
    private int live;
    private int used; // live and deleted
    private volatile int replaced; // changed under the cache's lock

    private Table(int capacity) {
      this.capacity = capacity;
      this.words = Arena.ofAuto().allocate((long) capacity * Long.BYTES, 64);
    }

    /** Where the search for a hash begins. */
    public int first(long hash) {
      return (int) (((hash & 0xFFFF_FFFFL) * capacity) >>> Integer.SIZE);
    }

    /** The position behind another one. */
    public int next(int position) {
      return position + 1 == capacity ? 0 : position + 1;
    }

    /** The word at a position. */
    public long word(int position) {
      return (long) LONG.getAcquire(words, (long) position * Long.BYTES);
    }

    /** How often a slot was put in the place of another one, whose entry ends behind that. */
    public int replaced() {
      return replaced;
    }

    private void word(int position, long word) {
      LONG.setRelease(words, (long) position * Long.BYTES, word);
    }

    private int find(long hash, int slot) {
      long wanted = SlotIndex.word(hash, slot);
      for (int i = first(hash); ; i = next(i)) {
        long word = word(i);
        if (word == wanted) {
          return i;
        }
        if (word == EMPTY) {
          return -1;
        }
      }
    }

    /** Adds a word that is not there. */
    private void add(long word) {
      int i = first(word >>> Integer.SIZE);
      long found = word(i);
      while (found != EMPTY && found != DELETED) {
        i = next(i);
        found = word(i);
      }
      used += found == EMPTY ? 1 : 0;
      live++;
      word(i, word);
    }

    private boolean isFull() {
      return used + 1 > capacity - capacity / 8 - 1;
    }
  }

  /** An empty index. */
  public SlotIndex() {
    tables = new AtomicReferenceArray<>(1 << SHARD_BITS);
    for (int i = 0; i < tables.length(); i++) {
      tables.set(i, new Table(LEAST));
    }
  }

  /** The table in which a hash is. */
  public Table table(long hash) {
    return tables.get(shard(hash));
  }

  /** Whether a word could be that of a key with a hash. */
  public static boolean matches(long word, long hash) {
    return (int) (word >>> Integer.SIZE) == (int) hash && (int) word != -1;
  }

  /** The slot that a word names. */
  public static int slot(long word) {
    return (int) word - 1;
  }

  /** The number of entries; under the lock. */
  public long size() {
    return size;
  }

  /** Bytes of memory that the tables take. */
  public long bytes() {
    long bytes = 0;
    for (int i = 0; i < tables.length(); i++) {
      bytes += tables.get(i).words.byteSize();
    }
    return bytes;
  }

  /** Finds a slot under the lock: the first of the hash that is accepted; -1 if none is. */
  public int find(long hash, IntPredicate accepts) {
    Table table = table(hash);
    int position = table.first(hash);
    for (long word = table.word(position); word != EMPTY; word = table.word(position)) {
      if (matches(word, hash) && accepts.test(slot(word))) {
        return slot(word);
      }
      position = table.next(position);
    }
    return -1;
  }

  /** Adds a slot that is not there. */
  public void add(long hash, int slot) {
    Table table = table(hash);
    if (table.isFull()) {
      table = rebuilt(table);
      tables.set(shard(hash), table);
    }
    table.add(word(hash, slot));
    size++;
  }

  /** Puts a slot in the place of another one. */
  public void replace(long hash, int old, int slot) {
    Table table = table(hash);
    table.word(table.find(hash, old), word(hash, slot));
    int replaced = table.replaced;
    table.replaced = replaced + 1;
  }

  /** Takes a slot out. */
  public void remove(long hash, int slot) {
    Table table = table(hash);
    int position = table.find(hash, slot);
    if (position >= 0) {
      if (table.word(table.next(position)) == EMPTY) {
        table.word(position, EMPTY);
        table.used--;
      } else {
        table.word(position, DELETED);
      }
      table.live--;
      size--;
    }
  }

  /**
   * A table without deleted words, and larger by a fifth if the old one was full of live ones: so
   * that a table of more than a few entries takes at most 11 bytes for each because it grew.
   */
  private static Table rebuilt(Table old) {
    int capacity = old.capacity;
    boolean grows = old.live > capacity - capacity / 4;
    var table = new Table(grows ? capacity + Math.max(capacity / 5, LEAST / 2) : capacity);
    for (int i = 0; i < capacity; i++) {
      long word = old.word(i);
      if (word != EMPTY && word != DELETED) {
        table.add(word);
      }
    }
    return table;
  }

  private static int shard(long hash) {
    return (int) (hash >>> (Long.SIZE - SHARD_BITS));
  }

  /** Never zero, since the slot's number is stored plus one. */
  private static long word(long hash, int slot) {
    return hash << Integer.SIZE | (slot + 1);
  }
}
