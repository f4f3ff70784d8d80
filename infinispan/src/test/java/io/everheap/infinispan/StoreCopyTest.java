package io.everheap.infinispan;

import static io.everheap.infinispan.Managers.cache;
import static io.everheap.infinispan.Managers.define;
import static io.everheap.infinispan.Managers.local;
import static java.util.concurrent.TimeUnit.HOURS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.infinispan.transaction.TransactionMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Campaign
class StoreCopyTest {
  /** The transport of a cluster within this process. */
  static final String LOOPBACK =
      """
      <config xmlns="urn:org:jgroups">
        <SHARED_LOOPBACK/>
        <SHARED_LOOPBACK_PING/>
        <pbcast.NAKACK2/>
        <UNICAST3/>
        <pbcast.STABLE/>
        <pbcast.GMS join_timeout="1000" print_local_addr="false"/>
        <UFC/>
        <MFC/>
        <FRAG4/>
      </config>
      """;

  private static final int ENTRIES = 2500;

  @TempDir Path directory;

  private static Configuration files() {
    var configuration = new ConfigurationBuilder();
    configuration.persistence().addSoftIndexFileStore();
    return configuration.build();
  }

  @Test
  void entriesGoFromInfinispansStoreToThisOneAndBack() throws Exception {
    try (DefaultCacheManager manager = local(directory)) {
      Cache<Integer, String> before = define(manager, "before", files());
      for (int i = 0; i < ENTRIES; i++) {
        before.put(i, "value " + i, i % 2 == 0 ? -1 : i, HOURS);
      }
      Cache<Integer, String> here = define(manager, "here", cache(store -> {}).build());
      assertThat(StoreCopy.copy(before, here)).isEqualTo(ENTRIES);
      assertSame(before, here);
      assertThatThrownBy(() -> StoreCopy.copy(before, here)).hasMessageContaining("not empty");

      Cache<Integer, String> after = define(manager, "after", files());
      assertThat(StoreCopy.copy(here, after)).isEqualTo(ENTRIES);
      assertSame(before, after);
    }
    try (DefaultCacheManager manager = local(directory)) {
      Cache<Integer, String> here = define(manager, "here", cache(store -> {}).build());
      Cache<Integer, String> before = define(manager, "before", files());
      assertSame(before, here);
      assertThat(created(here)).isEqualTo(created(before));
    }
  }

  @Test
  void aStoreToWhichInfinispanWouldNotWriteIsRefused() throws Exception {
    var transactional = cache(store -> store.transactional(true));
    transactional.transaction().transactionMode(TransactionMode.TRANSACTIONAL);
    var readOnly = cache(store -> store.ignoreModifications(true));
    try (DefaultCacheManager manager = local(directory)) {
      Cache<Integer, String> before = define(manager, "before", files());
      before.put(1, "one");
      for (ConfigurationBuilder to : List.of(transactional, readOnly)) {
        Cache<Integer, String> refused = define(manager, "to" + to.hashCode(), to.build());
        assertThatThrownBy(() -> StoreCopy.copy(before, refused))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("transactional or read-only");
      }
    }
  }

  @Test
  void eachNodeOfAClusterCopiesWhatItHas() throws Exception {
    assumeTrue(
        String.format(Locale.getDefault(), "%d", 1).equals("1"),
        "Infinispan's clusters cannot start in a locale with other digits");
    assumeTrue(
        Runtime.getRuntime().availableProcessors() > 1,
        "JGroups spins on the only carrier of virtual threads for ever");
    var configuration = cache(store -> {});
    configuration.clustering().cacheMode(CacheMode.DIST_SYNC).hash().numOwners(1);
    try (DefaultCacheManager one = node("one");
        DefaultCacheManager two = node("two")) {
      List<DefaultCacheManager> nodes = List.of(one, two);
      for (DefaultCacheManager node : nodes) {
        define(node, "before", configuration.build());
        define(node, "after", configuration.build());
      }
      Cache<Integer, String> before = one.getCache("before");
      for (int i = 0; i < 100; i++) {
        before.put(i, "value " + i);
      }
      long copied = 0;
      for (DefaultCacheManager node : nodes) {
        copied += StoreCopy.copy(node.getCache("before"), node.getCache("after"));
      }
      assertThat(copied).isEqualTo(100);
      assertThat(two.getCache("after"))
          .containsExactlyInAnyOrderEntriesOf(two.<Object, Object>getCache("before"));
    }
  }

  /** A node of a cluster within this process. */
  private DefaultCacheManager node(String name) {
    var global = GlobalConfigurationBuilder.defaultClusteredBuilder();
    global.globalState().enable().persistentLocation(directory.resolve(name).toString());
    global.transport().addProperty(JGroupsTransport.CONFIGURATION_XML, LOOPBACK);
    return new DefaultCacheManager(global.build());
  }

  private static long created(Cache<Integer, String> cache) {
    return cache.getAdvancedCache().getCacheEntry(ENTRIES - 1).getCreated();
  }

  private static void assertSame(Cache<Integer, String> expected, Cache<Integer, String> found) {
    assertThat(found).hasSize(ENTRIES);
    for (int i = 0; i < ENTRIES; i++) {
      CacheEntry<Integer, String> one = expected.getAdvancedCache().getCacheEntry(i);
      CacheEntry<Integer, String> other = found.getAdvancedCache().getCacheEntry(i);
      assertThat(other.getValue()).isEqualTo(one.getValue());
      assertThat(other.getLifespan()).isEqualTo(one.getLifespan());
    }
  }
}
