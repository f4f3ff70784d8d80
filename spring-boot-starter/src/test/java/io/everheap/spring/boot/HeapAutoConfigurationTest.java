package io.everheap.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.micrometer.HeapMetrics;
import io.everheap.support.Limit;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.InvalidTimeoutException;
import org.springframework.transaction.TransactionSuspensionNotSupportedException;
import org.springframework.transaction.TransactionUsageException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionTemplate;

/** The beans that a directory makes, and what {@code @Transactional} means with them. */
class HeapAutoConfigurationTest {
  @TempDir private Path directory;
  private ConfigurableApplicationContext context;
  private Accounts accounts;
  private Heap heap;

  /** The program. */
  @Configuration
  @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
  static class Application {
    @Bean
    Inner inner(Heap heap) {
      return new Inner(heap);
    }

    @Bean
    Accounts accounts(Heap heap, Inner inner, ApplicationEventPublisher events) {
      return new Accounts(heap, inner, events);
    }

    @Bean
    HeapBuilderCustomizer customizer() {
      return builder -> builder.checkCodecs();
    }
  }

  /** Called by the outer methods. */
  static class Inner {
    private final Heap heap;

    Inner(Heap heap) {
      this.heap = heap;
    }

    @Transactional
    public void fail() {
      put(heap, "inner", 1);
      throw new IllegalStateException("inner");
    }

    @Transactional(propagation = Propagation.NESTED)
    public void failNested() {
      fail();
    }

    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public void requiresNew() {}

    @Transactional(propagation = Propagation.MANDATORY)
    public void mandatory() {}

    @Transactional(timeout = 3)
    public void timeout() {}
  }

  /** The service. */
  static class Accounts {
    final List<String> heard = new ArrayList<>();
    private final Heap heap;
    private final Inner inner;
    private final ApplicationEventPublisher events;

    Accounts(Heap heap, Inner inner, ApplicationEventPublisher events) {
      this.heap = heap;
      this.inner = inner;
      this.events = events;
    }

    @Transactional
    public void put(String key, boolean fail) {
      events.publishEvent(key);
      HeapAutoConfigurationTest.put(heap, key, 1);
      HeapAutoConfigurationTest.put(heap, key + "2", heap.transaction() == null ? 0 : 2);
      if (fail) {
        throw new IllegalArgumentException(key);
      }
    }

    @Transactional
    public String undo(String key) {
      HeapAutoConfigurationTest.put(heap, key, 1);
      TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
      return "undone";
    }

    @Transactional(noRollbackFor = IllegalArgumentException.class)
    public void keep(String key) {
      HeapAutoConfigurationTest.put(heap, key, 1);
      throw new IllegalArgumentException(key);
    }

    @Transactional
    public void outer(String key, Runnable call) {
      HeapAutoConfigurationTest.put(heap, key, 1);
      try {
        call.run();
      } catch (IllegalStateException e) {
        assertThat(e).hasMessage("inner");
      }
    }

    @Transactional(readOnly = true)
    public List<Long> read(String first, Runnable between, String second) {
      events.publishEvent(first);
      Map<String, Long> accounts = heap.map("accounts", String.class, Long.class);
      Long before = accounts.get(first);
      between.run();
      return List.of(before, accounts.get(second));
    }

    @Transactional(readOnly = true)
    public void readOnly(Runnable body) {
      body.run();
    }

    @Transactional
    public void withHook(String key, RuntimeException failure) {
      events.publishEvent(key);
      HeapAutoConfigurationTest.put(heap, key, 1);
      heap.transaction()
          .onCommit(
              () -> {
                throw failure;
              });
    }

    @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
    public void committed(String key) {
      heard.add("committed " + key);
    }

    @TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
    public void rolledBack(String key) {
      heard.add("rolled back " + key);
    }

    public List<String> heard() {
      return heard;
    }

    public Inner inner() {
      return inner;
    }
  }

  static void put(Heap heap, String key, long value) {
    heap.map("accounts", String.class, Long.class).put(key, value);
  }

  private Map<String, Long> stored() {
    return heap.map("accounts", String.class, Long.class);
  }

  @BeforeEach
  void start() {
    context = start(Map.of("everheap.heap.directory", directory.resolve("heap").toString()));
    heap = context.getBean(Heap.class);
    accounts = context.getBean(Accounts.class);
    heap.map("accounts", String.class, Long.class);
  }

  @AfterEach
  void close() {
    context.close();
  }

  @Test
  void aMethodIsATransaction() {
    accounts.put("a", false);
    assertThat(stored()).containsOnly(Map.entry("a", 1L), Map.entry("a2", 2L));
    assertThatThrownBy(() -> accounts.put("b", true)).isInstanceOf(IllegalArgumentException.class);
    assertThat(accounts.undo("c")).isEqualTo("undone");
    assertThat(stored()).hasSize(2);
    assertThatThrownBy(() -> accounts.keep("d")).isInstanceOf(IllegalArgumentException.class);
    assertThat(stored()).containsKey("d");
    assertThat(accounts.heard()).containsExactly("committed a", "rolled back b");
  }

  @Test
  void innerMethodsJoinOrAreNestedOrRefused() {
    Inner inner = accounts.inner();
    assertThatThrownBy(() -> accounts.outer("a", inner::fail))
        .isInstanceOf(UnexpectedRollbackException.class);
    assertThat(stored()).isEmpty();
    accounts.outer("b", inner::failNested);
    assertThat(stored()).containsOnlyKeys("b");
    assertThatThrownBy(() -> accounts.outer("c", inner::requiresNew))
        .isInstanceOf(TransactionSuspensionNotSupportedException.class);
    accounts.outer("d", inner::mandatory);
    assertThatThrownBy(inner::mandatory).isInstanceOf(IllegalTransactionStateException.class);
    assertThatThrownBy(inner::timeout).isInstanceOf(InvalidTimeoutException.class);
    assertThat(stored()).containsOnlyKeys("b", "d");
  }

  @Test
  void aReadOnlyMethodSeesOneStateAndWaitsForNoWriter() throws Exception {
    put(heap, "a", 1);
    put(heap, "b", 1);
    var writing = new CountDownLatch(1);
    var done = new CountDownLatch(1);
    Thread writer =
        Thread.ofPlatform()
            .daemon()
            .start(
                () ->
                    heap.transact(
                        () -> {
                          put(heap, "a", 2);
                          put(heap, "b", 2);
                          writing.countDown();
                          awaitUninterruptibly(done);
                        }));
    Limit.await(writing);
    assertThat(accounts.read("a", () -> {}, "b")).containsExactly(1L, 1L);
    // The writer commits between the two reads of the first attempt.
    Runnable commit =
        () -> {
          done.countDown();
          try {
            Limit.join(writer);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        };
    assertThat(accounts.read("a", commit, "b")).containsExactly(2L, 2L);
    assertThat(accounts.heard()).containsExactly("committed a", "committed a");
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      Limit.await(latch);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aReadOnlyMethodWritesNothing() {
    Inner inner = accounts.inner();
    for (Runnable write :
        List.<Runnable>of(() -> put(heap, "a", 1), inner::fail, inner::failNested)) {
      assertThatThrownBy(() -> accounts.readOnly(write))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("write inside Heap.read");
    }
    assertThat(stored()).isEmpty();
    accounts.readOnly(inner::mandatory); // it joins
    accounts.outer(
        "b", () -> accounts.readOnly(() -> put(heap, "c", 1))); // as part of the outer one
    assertThat(stored()).containsOnlyKeys("b", "c");
  }

  @Test
  void aFailureAfterTheCommitIsNoRollback() {
    var failure = new IllegalStateException("of a hook");
    assertThatThrownBy(() -> accounts.withHook("a", failure)).isSameAs(failure);
    assertThat(stored()).containsOnlyKeys("a");
    assertThat(accounts.heard()).containsExactly("committed a");
  }

  @Test
  void aTemplateWorksAndAPairOfCallsDoesNot() {
    var manager = context.getBean(HeapTransactionManager.class);
    String result =
        new TransactionTemplate(manager)
            .execute(
                status -> {
                  put(heap, "a", 1);
                  return "done";
                });
    assertThat(result).isEqualTo("done");
    assertThat(stored()).containsOnlyKeys("a");
    assertThatThrownBy(() -> manager.getTransaction(null))
        .isInstanceOf(TransactionUsageException.class)
        .hasMessageContaining("TransactionTemplate");
  }

  @Test
  void healthAndMetersAreThere() {
    HealthIndicator health = context.getBean("everheapHealthIndicator", HealthIndicator.class);
    assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    assertThat(health.health().getDetails()).containsKeys("heap", "used", "capacity");
    assertThat(context.getBeansOfType(HealthIndicator.class))
        .doesNotContainKeys("everheapCacheHealthIndicator", "everheapReplicationHealthIndicator");
    var registry = new SimpleMeterRegistry();
    context.getBean(HeapMetrics.class).bindTo(registry);
    assertThat(registry.get("everheap.open").gauge().value()).isEqualTo(1);
    heap.close();
    assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
    assertThat(registry.get("everheap.open").gauge().value()).isZero();
  }

  @Test
  void theHeapIsClosedWithItsContext() {
    context.close();
    assertThat(heap.isOpen()).isFalse();
  }

  static ConfigurableApplicationContext start(Map<String, Object> properties) {
    return new SpringApplicationBuilder(Application.class)
        .web(WebApplicationType.NONE)
        .properties(properties)
        .run();
  }
}
