package io.everheap.infinispan.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.everheap.infinispan.EverheapStore;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.infinispan.commons.CacheConfigurationException;
import org.infinispan.commons.configuration.io.ConfigurationReaderException;
import org.infinispan.commons.configuration.io.ConfigurationWriter;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.configuration.parsing.ConfigurationBuilderHolder;
import org.infinispan.configuration.parsing.ParserRegistry;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.transaction.TransactionMode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationTest {
  private static final String XML =
      """
      <infinispan xmlns="urn:infinispan:config:16.0">
        <cache-container>
          <global-state/>
          <local-cache name="orders">
            <persistence>
              <everheap-store xmlns="urn:everheap:infinispan:16.0" path="shop" durability="async"
                  sync-interval="250" max-size="1073741824" log-size="33554432"
                  segmented="false" preload="true">
                <write-behind modification-queue-size="100"/>
              </everheap-store>
            </persistence>
          </local-cache>
        </cache-container>
      </infinispan>
      """;

  private static final String JSON =
      """
      {"infinispan": {"cache-container": {"global-state": {}, "caches": {"orders": {"local-cache": {
        "persistence": {"everheap-store": {"path": "shop", "durability": "ASYNC",
          "sync-interval": 250, "max-size": 1073741824, "log-size": 33554432,
          "segmented": false, "preload": true,
          "write-behind": {"modification-queue-size": 100}}}}}}}}}
      """;

  private static final String YAML =
      """
      infinispan:
        cacheContainer:
          globalState: ~
          caches:
            orders:
              localCache:
                persistence:
                  everheapStore:
                    path: "shop"
                    durability: "ASYNC"
                    syncInterval: 250
                    maxSize: 1073741824
                    logSize: 33554432
                    segmented: false
                    preload: true
                    writeBehind:
                      modificationQueueSize: 100
      """;

  @TempDir Path directory;

  /**
   * Infinispan looks up elements with toUpperCase of the default locale: its own files fail too.
   */
  @BeforeAll
  static void infinispanReadsFilesInThisLocale() {
    assumeTrue(
        "i".toUpperCase(Locale.getDefault()).equals("I"),
        "Infinispan cannot read configuration files in a Turkish locale");
  }

  static Stream<Arguments> files() {
    return Stream.of(
        Arguments.of(MediaType.APPLICATION_XML, XML),
        Arguments.of(MediaType.APPLICATION_JSON, JSON),
        Arguments.of(MediaType.APPLICATION_YAML, YAML));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("files")
  void filesSayWhatAProgramCanSay(MediaType type, String file) {
    assertThat(orders(file, type).attributes()).isEqualTo(expected().attributes());
    assertThat(orders(file, type).async().modificationQueueSize()).isEqualTo(100);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("files")
  void whatIsWrittenIsReadAgain(MediaType type, String file) {
    ConfigurationBuilderHolder read = parse(file, type);
    var out = new StringWriter();
    try (ConfigurationWriter writer = ConfigurationWriter.to(out).withType(type).build()) {
      new ParserRegistry()
          .serialize(
              writer,
              read.getGlobalConfigurationBuilder().build(),
              Map.of("orders", read.getNamedConfigurationBuilders().get("orders").build()));
    }
    assertThat(orders(out.toString(), type).attributes()).isEqualTo(expected().attributes());
  }

  private static EverheapStoreConfiguration expected() {
    var builder = new ConfigurationBuilder();
    builder
        .persistence()
        .addStore(EverheapStoreConfigurationBuilder.class)
        .path("shop")
        .durability(StoreDurability.ASYNC)
        .syncInterval(Duration.ofMillis(250))
        .maxSize(1L << 30)
        .logSize(32L << 20)
        .segmented(false)
        .preload(true);
    return store(builder.build());
  }

  @Test
  void writesAreSyncedUnlessSomethingElseIsSaid() {
    var builder = new ConfigurationBuilder();
    builder.persistence().addStore(EverheapStoreConfigurationBuilder.class);
    EverheapStoreConfiguration store = store(builder.build());
    assertThat(store.durability()).isEqualTo(StoreDurability.SYNC);
    assertThat(store.segmented()).isTrue();
    assertThat(store.path()).isNull();
  }

  @Test
  void aCacheOfAFileStoresItsEntries() {
    String file =
        XML.replace(
            "<global-state/>",
            "<global-state><persistent-location path=\"" + directory + "\"/></global-state>");
    for (String expected : new String[] {null, "twelve"}) {
      try (var manager = new DefaultCacheManager(parse(file, MediaType.APPLICATION_XML), true)) {
        assertThat(manager.<String, String>getCache("orders").get("12")).isEqualTo(expected);
        manager.<String, String>getCache("orders").put("12", "twelve");
      } catch (java.io.IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "durability=\"PROCESS\"",
        "sync-interval=\"soon\"",
        "max-size=\"1g\"",
        "log-size=\"\"",
        "location=\"shop\"",
        "relative-to=\"no.such.property\""
      })
  void attributesThatMakeNoSenseAreNamed(String attribute) {
    String file = XML.replaceFirst("path=\"[^>]*>", attribute + ">");
    String name = attribute.substring(0, attribute.indexOf('='));
    assertThatThrownBy(() -> parse(file, MediaType.APPLICATION_XML))
        .isInstanceOfAny(CacheConfigurationException.class, ConfigurationReaderException.class)
        .hasStackTraceContaining(name.equals("relative-to") ? "no.such.property" : name);
  }

  @Test
  void anElementThatIsUnknownIsRefused() {
    assertThatThrownBy(
            () -> parse(XML.replace("write-behind", "compression"), MediaType.APPLICATION_XML))
        .hasStackTraceContaining("compression");
  }

  @Test
  void aStoreIsNotShared() {
    assertRefused(store -> store.shared(true), "a heap belongs to one process");
  }

  @Test
  void transactionsOfAClusterAreNotPrepared() {
    var builder = new ConfigurationBuilder();
    builder.clustering().cacheMode(CacheMode.DIST_SYNC);
    builder.transaction().transactionMode(TransactionMode.TRANSACTIONAL);
    builder.persistence().addStore(EverheapStoreConfigurationBuilder.class).transactional(true);
    assertThatThrownBy(builder::build)
        .isInstanceOf(CacheConfigurationException.class)
        .hasMessageContaining("in a clustered cache");
  }

  @Test
  void sizesAndIntervalsHaveLimits() {
    assertRefused(store -> store.maxSize(1), "max-size is 2 MiB to 16 TiB, not 1 bytes");
    assertRefused(store -> store.maxSize(Long.MAX_VALUE), "max-size is 2 MiB to 16 TiB");
    assertRefused(store -> store.logSize(1), "log-size is at least 16 MiB, not 1 bytes");
    assertRefused(store -> store.syncInterval(Duration.ZERO), "sync-interval is 1 to 3600000");
    assertRefused(store -> store.syncInterval(Duration.ofDays(1)), "not 86400000");
  }

  private static void assertRefused(
      Consumer<EverheapStoreConfigurationBuilder> setting, String reason) {
    var builder = new ConfigurationBuilder();
    setting.accept(builder.persistence().addStore(EverheapStoreConfigurationBuilder.class));
    assertThatThrownBy(builder::build)
        .isInstanceOf(CacheConfigurationException.class)
        .hasMessageContaining("everheap-store")
        .hasMessageContaining(reason);
  }

  @Test
  void aStoreNeedsAPlace() {
    var cache = new ConfigurationBuilder();
    cache.persistence().addStore(EverheapStoreConfigurationBuilder.class);
    try (var manager = new DefaultCacheManager(new GlobalConfigurationBuilder().build())) {
      assertThatThrownBy(() -> manager.defineConfiguration("orders", cache.build()))
          .isInstanceOf(CacheConfigurationException.class)
          .hasMessageContaining("path");
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theConfigurationNamesItsStore() {
    assertThat(
            EverheapStoreConfiguration.class.getAnnotation(
                org.infinispan.commons.configuration.ConfigurationFor.class))
        .extracting(org.infinispan.commons.configuration.ConfigurationFor::value)
        .isEqualTo(EverheapStore.class);
  }

  private static ConfigurationBuilderHolder parse(String file, MediaType type) {
    return new ParserRegistry().parse(file, type);
  }

  private static EverheapStoreConfiguration orders(String file, MediaType type) {
    return store(parse(file, type).getNamedConfigurationBuilders().get("orders").build());
  }

  private static EverheapStoreConfiguration store(Configuration cache) {
    return (EverheapStoreConfiguration) cache.persistence().stores().get(0);
  }
}
