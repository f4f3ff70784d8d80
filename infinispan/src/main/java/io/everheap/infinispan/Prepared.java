package io.everheap.infinispan;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import jakarta.transaction.Transaction;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.infinispan.commons.tx.TransactionImpl;
import org.jspecify.annotations.Nullable;

/**
 * The prepared transactions of a cache, under the text of their XIDs: {@link Transaction} itself
 * has no identity that outlives the process. Those whose manager does not tell the XID have a
 * random number instead.
 *
 * <p>Thread-safe. {@link #keep} and {@link #take} are called inside a transaction of the heap.
 */
final class Prepared {
  private final DurableMap<String, byte[]> changes;
  private final ConcurrentMap<Transaction, String> running = new ConcurrentHashMap<>();

  Prepared(Heap heap, String root) {
    changes = heap.map(root, String.class, byte[].class);
  }

  /** The name of a transaction that is going to be prepared. */
  String begin(Transaction transaction) {
    return running.computeIfAbsent(
        transaction, it -> Objects.requireNonNullElseGet(xid(it), Prepared::random));
  }

  /**
   * The name of a transaction that is going to be decided; null if it cannot have been prepared.
   */
  @Nullable String end(Transaction transaction) {
    String id = running.remove(transaction);
    return id != null ? id : xid(transaction);
  }

  private static String random() {
    return UUID.randomUUID().toString();
  }

  private static @Nullable String xid(Transaction transaction) {
    return transaction instanceof TransactionImpl it && it.getXid() != null
        ? it.getXid().toString()
        : null;
  }

  void keep(String id, byte[] bytes) {
    changes.set(id, bytes);
  }

  /** The changes of a transaction that is to be committed; outside of a transaction. */
  byte @Nullable [] get(String id) {
    return changes.get(id);
  }

  byte @Nullable [] take(String id) {
    return changes.remove(id);
  }

  List<PreparedTransaction> list() {
    return changes.entrySet().stream()
        .map(
            prepared ->
                new PreparedTransaction(
                    prepared.getKey(),
                    Change.decode(prepared.getValue()).stream().map(Change::key).toList()))
        .toList();
  }

  int count() {
    return changes.size();
  }
}
