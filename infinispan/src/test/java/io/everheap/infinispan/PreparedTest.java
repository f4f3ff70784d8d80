package io.everheap.infinispan;

import static io.everheap.infinispan.Managers.cache;
import static io.everheap.infinispan.Managers.define;
import static io.everheap.infinispan.Managers.local;
import static io.everheap.infinispan.Managers.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.List;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.transaction.TransactionMode;
import org.infinispan.transaction.lookup.EmbeddedTransactionManagerLookup;
import org.infinispan.transaction.tm.EmbeddedTransaction;
import org.infinispan.transaction.tm.EmbeddedTransactionManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions in two phases. */
@Campaign
class PreparedTest {
  @TempDir Path directory;

  private static ConfigurationBuilder transactional() {
    var cache = cache(store -> store.transactional(true));
    cache
        .transaction()
        .transactionMode(TransactionMode.TRANSACTIONAL)
        .transactionManagerLookup(new EmbeddedTransactionManagerLookup())
        .useSynchronization(false);
    return cache;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTransactionWhoseProcessWasKilledIsDecidedLater(boolean commit) throws Exception {
    Killed.after(PreparedTest.class, "prepared", directory.toString());
    try (DefaultCacheManager manager = local(directory)) {
      Cache<String, String> cache = define(manager, "orders", transactional().build());
      assertThat(cache.get("replaced")).isEqualTo("before");
      assertThat(cache.get("removed")).isEqualTo("before");
      assertThat(cache.get("added")).isNull();
    }
    try (DefaultCacheManager manager = local(directory)) {
      EverheapStore<?, ?> store = store(define(manager, "orders", transactional().build()));
      List<PreparedTransaction> prepared = store.prepared();
      assertThat(prepared).hasSize(1);
      assertThat(prepared.getFirst().keys()).hasSize(3);
      String id = prepared.getFirst().id();
      (commit ? store.commit(id) : store.rollback(id)).toCompletableFuture().get();
      assertThat(store.prepared()).isEmpty();
      store.commit(id).toCompletableFuture().get(); // once more: nothing happens
    }
    try (DefaultCacheManager manager = local(directory)) {
      Cache<String, String> cache = define(manager, "orders", transactional().build());
      assertThat(cache.get("replaced")).isEqualTo(commit ? "after" : "before");
      assertThat(cache.get("removed")).isEqualTo(commit ? null : "before");
      assertThat(cache.get("added")).isEqualTo(commit ? "after" : null);
      assertThat(cache).hasSize(2);
    }
  }

  @Test
  void transactionsThatEndLeaveNothingBehind() throws Exception {
    try (DefaultCacheManager manager = local(directory)) {
      Cache<String, String> cache = define(manager, "orders", transactional().build());
      change(cache);
      EmbeddedTransactionManager.getInstance().commit();
      assertThat(store(cache).prepared()).isEmpty();
      EmbeddedTransactionManager.getInstance().begin();
      cache.put("rolled back", "value");
      EmbeddedTransaction running = EmbeddedTransactionManager.getInstance().getTransaction();
      assertThat(running.runPrepare()).isTrue();
      assertThat(store(cache).prepared()).hasSize(1);
      running.runCommit(true);
      EmbeddedTransactionManager.dissociateTransaction();
      assertThat(store(cache).prepared()).isEmpty();
    }
    try (DefaultCacheManager manager = local(directory)) {
      Cache<String, String> cache = define(manager, "orders", transactional().build());
      assertThat(cache.get("added")).isEqualTo("after");
      assertThat(cache.get("rolled back")).isNull();
    }
  }

  /** Entries of a prepared transaction are found by segments, as those that are stored. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPreparedTransactionIsNotOpenedWithOtherSegments(boolean purge) throws Exception {
    var configuration = transactional();
    configuration.transaction().cacheStopTimeout(1);
    try (DefaultCacheManager manager = local(directory)) {
      Cache<String, String> cache = define(manager, "orders", configuration.build());
      EmbeddedTransactionManager.getInstance().begin();
      cache.put("added", "value");
      EmbeddedTransaction running = EmbeddedTransactionManager.getInstance().getTransaction();
      assertThat(running.runPrepare()).isTrue();
      EmbeddedTransactionManager.dissociateTransaction();
    }
    configuration.clustering().hash().numSegments(2);
    configuration.persistence().stores().getFirst().purgeOnStartup(purge);
    try (DefaultCacheManager manager = local(directory)) {
      assertThatThrownBy(() -> define(manager, "orders", configuration.build()))
          .hasStackTraceContaining("with 256 segments, and is to be opened with 2 segments")
          .hasStackTraceContaining("commit or roll back its prepared transactions");
    }
    try (DefaultCacheManager manager = local(directory)) {
      Cache<String, String> cache = define(manager, "orders", transactional().build());
      EverheapStore<?, ?> store = store(cache);
      store.commit(store.prepared().getFirst().id()).toCompletableFuture().get();
      assertThat(cache.get("added")).isEqualTo("value");
    }
  }

  private static void change(Cache<String, String> cache) throws Exception {
    cache.put("replaced", "before");
    cache.put("removed", "before");
    EmbeddedTransactionManager.getInstance().begin();
    cache.put("replaced", "after");
    cache.remove("removed");
    cache.put("added", "after");
  }

  /** The process that is killed. */
  @SuppressWarnings("resource") // it is killed
  public static void main(String[] arguments) throws Exception {
    Cache<String, String> cache =
        define(local(Path.of(arguments[0])), "orders", transactional().build());
    change(cache);
    if (EmbeddedTransactionManager.getInstance().getTransaction().runPrepare()) {
      System.out.println("prepared");
    }
    Thread.currentThread().join();
  }
}
