package io.everheap.durable.type;

import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The stored versions of a heap by their numbers. A committed number never changes, so its version
 * is cached; what a transaction reads is dropped if it is rolled back.
 *
 * <p>Safe for use by many threads.
 */
public final class Versions {
  private final StoredTypes table;
  private final Transactions transactions;
  private final Map<Long, StoredVersion> known = new ConcurrentHashMap<>();

  /** Versions loaded by the transaction {@link #serial}, which may have added them itself. */
  private final Map<Long, StoredVersion> pending = new ConcurrentHashMap<>();

  /** The last transaction that loaded a version; guarded by the writer lock. */
  private long serial;

  /** Creates the cache of a heap's type table. */
  public Versions(StoredTypes table, Transactions transactions) {
    this.table = table;
    this.transactions = transactions;
  }

  /**
   * Returns the version with this number.
   *
   * @throws CorruptException if there is none
   */
  public StoredVersion of(long number) {
    StoredVersion version = known.get(number);
    if (version != null) {
      return version;
    }
    return transactions.isWriter() ? ofWriter(number) : keep(known, number, load(number));
  }

  private StoredVersion ofWriter(long number) {
    if (serial != transactions.serial()) {
      serial = transactions.serial();
      pending.clear();
    }
    StoredVersion version = pending.get(number);
    if (version == null) {
      StoredVersion loaded = keep(pending, number, load(number));
      version = loaded;
      transactions.onAbort(pending::clear); // also when a nested level alone is rolled back
      transactions.onCommit(() -> keep(known, number, loaded));
    }
    return version;
  }

  private static StoredVersion keep(
      Map<Long, StoredVersion> in, long number, StoredVersion version) {
    StoredVersion earlier = in.putIfAbsent(number, version);
    return earlier != null ? earlier : version;
  }

  private StoredVersion load(long number) {
    String text = number > 0 ? table.find(number) : null;
    if (text == null || !TypeDescriptor.isText(text)) {
      throw CorruptException.heap(
          "An object of the heap is damaged: it has type number "
              + number
              + (text == null
                  ? ", which no type has."
                  : ", which is " + text + ", no type of objects."));
    }
    return new StoredVersion(TypeDescriptor.parse(text));
  }

  /** Returns all versions of a type, the oldest first. */
  public List<TypeDescriptor> of(String type) {
    List<TypeDescriptor> versions = new ArrayList<>();
    for (String text : table.all().values()) {
      if (TypeDescriptor.isText(text)) {
        TypeDescriptor version = TypeDescriptor.parse(text);
        if (version.name().equals(type)) {
          versions.add(version);
        }
      }
    }
    return versions;
  }

  /** Returns the number of a version, which need not be stored yet. */
  public TypeNumber number(TypeDescriptor type) {
    return new TypeNumber(table, transactions, type.text());
  }
}
