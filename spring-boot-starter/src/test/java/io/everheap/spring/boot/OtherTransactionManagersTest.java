package io.everheap.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.micrometer.HeapMetrics;
import io.everheap.support.tier.Campaign;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Beside a transaction manager of a database, {@code @Transactional} keeps its meaning, and
 * transactions of the heap are asked for by name.
 */
@Campaign
class OtherTransactionManagersTest {
  private static final String BOOM = "after the change";

  @TempDir private Path directory;

  // ---- JDBC ---------------------------------------------------------------------------------

  /** A program with a database. */
  @Configuration
  @EnableAutoConfiguration(exclude = HibernateJpaAutoConfiguration.class)
  static class JdbcApplication {
    @Bean
    JdbcService service(JdbcTemplate jdbc, Heap heap) {
      return new JdbcService(jdbc, heap);
    }
  }

  /** Changes the database and the heap. */
  static class JdbcService {
    private final JdbcTemplate jdbc;
    private final Heap heap;

    JdbcService(JdbcTemplate jdbc, Heap heap) {
      this.jdbc = jdbc;
      this.heap = heap;
    }

    @Transactional
    public void insert(boolean fail) {
      jdbc.update("insert into accounts values (1)");
      failIf(fail);
    }

    @Transactional("heapTransactionManager")
    public void put(boolean fail) {
      map(heap).put("a", 1L);
      map(heap).put("b", heap.transaction() == null ? 0L : 2L);
      failIf(fail);
    }

    @Transactional
    public void both(boolean fail) {
      jdbc.update("insert into accounts values (2)");
      heap.transact(() -> map(heap).put("c", 3L));
      failIf(fail);
    }

    public long rows() {
      return jdbc.queryForObject("select count(*) from accounts", Long.class);
    }
  }

  private static void failIf(boolean fail) {
    if (fail) {
      throw new IllegalStateException(BOOM);
    }
  }

  private static Map<String, Long> map(Heap heap) {
    return heap.map("accounts", String.class, Long.class);
  }

  @Test
  void aTransactionalMethodIsOneOfTheDatabase() {
    try (var context = start(JdbcApplication.class)) {
      assertThat(context.getBean(TransactionManager.class))
          .isInstanceOf(JdbcTransactionManager.class);
      context.getBean(JdbcTemplate.class).execute("create table accounts (id bigint)");
      JdbcService service = context.getBean(JdbcService.class);
      assertThatThrownBy(() -> service.insert(true)).hasMessage(BOOM);
      assertThat(service.rows()).isZero();
      service.insert(false);
      assertThat(service.rows()).isOne();
      assertThatThrownBy(() -> service.both(true)).hasMessage(BOOM);
      assertThat(service.rows()).isOne();
    }
  }

  @Test
  void aTransactionOfTheHeapIsAskedForByName() {
    try (var context = start(JdbcApplication.class)) {
      JdbcService service = context.getBean(JdbcService.class);
      Heap heap = context.getBean(Heap.class);
      map(heap);
      assertThatThrownBy(() -> service.put(true)).hasMessage(BOOM);
      assertThat(map(heap)).isEmpty();
      service.put(false);
      assertThat(map(heap)).containsOnly(Map.entry("a", 1L), Map.entry("b", 2L));
    }
  }

  @Test
  void theTemplateOfBootIsThatOfTheDatabase() {
    try (var context = start(JdbcApplication.class)) {
      assertThat(context.getBean(TransactionTemplate.class).getTransactionManager())
          .isInstanceOf(JdbcTransactionManager.class);
      assertThat(context.getBean("heapTransactionManager"))
          .isInstanceOf(HeapTransactionManager.class);
    }
  }

  // ---- JPA ----------------------------------------------------------------------------------

  /** A row. */
  @Entity
  static class Account {
    @Id long id;

    Account() {}

    Account(long id) {
      this.id = id;
    }
  }

  /** A program with Hibernate. */
  @Configuration
  @EnableAutoConfiguration
  @EntityScan(basePackageClasses = Account.class)
  static class JpaApplication {
    @Bean
    JpaService service(Heap heap) {
      return new JpaService(heap);
    }
  }

  /** Stores rows, and entries of the heap. */
  static class JpaService {
    @PersistenceContext private EntityManager entities;
    private final Heap heap;

    JpaService(Heap heap) {
      this.heap = heap;
    }

    @Transactional
    public void persist(long id, boolean fail) {
      entities.persist(new Account(id));
      entities.flush();
      failIf(fail);
    }

    /** The two transactions are separate: the inner one ends first. */
    @Transactional
    public void persistAround(long id, Runnable inner) {
      entities.persist(new Account(id));
      inner.run();
    }

    @Transactional("heapTransactionManager")
    public void put(String key, boolean fail) {
      map(heap).put(key, 1L);
      failIf(fail);
    }

    @Transactional(readOnly = true)
    public long count() {
      return entities
          .createQuery("select count(a) from OtherTransactionManagersTest$Account a", Long.class)
          .getSingleResult();
    }
  }

  @Test
  void anEntityIsStoredByATransactionalMethod() {
    try (var context = start(JpaApplication.class)) {
      assertThat(context.getBean(TransactionManager.class))
          .isInstanceOf(JpaTransactionManager.class);
      JpaService service = context.getBean(JpaService.class);
      service.persist(1, false);
      assertThat(service.count()).isOne();
      assertThatThrownBy(() -> service.persist(2, true)).hasMessage(BOOM);
      assertThat(service.count()).isOne();
    }
  }

  @Test
  void transactionsOfBothManagersMayBeNested() {
    try (var context = start(JpaApplication.class)) {
      JpaService service = context.getBean(JpaService.class);
      Heap heap = context.getBean(Heap.class);
      map(heap);
      service.persistAround(1, () -> service.put("a", false));
      assertThat(map(heap)).containsOnlyKeys("a");
      assertThat(service.count()).isOne();
      assertThatThrownBy(() -> service.persistAround(2, () -> service.put("b", true)))
          .hasMessage(BOOM);
      assertThat(map(heap)).containsOnlyKeys("a");
      assertThat(service.count()).isOne();
    }
  }

  // ---- Heaps of the program -----------------------------------------------------------------

  /** A program, such as a test, that makes its heap. */
  @Configuration
  @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
  static class OwnHeap {
    @Bean
    Heap heap() {
      return Heap.inMemory();
    }

    @Bean
    Service service(Heap heap) {
      return new Service(heap);
    }
  }

  /** Changes the heap. */
  static class Service {
    private final Heap heap;

    Service(Heap heap) {
      this.heap = heap;
    }

    @Transactional
    public void put(boolean fail) {
      map(heap).put("a", 1L);
      failIf(fail);
    }
  }

  /** A program with two heaps: nothing says which one is meant. */
  @Configuration
  @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
  static class TwoHeaps {
    @Bean
    Heap first() {
      return Heap.inMemory();
    }

    @Bean
    Heap second() {
      return Heap.inMemory();
    }
  }

  /** A program that has named its manager otherwise. */
  @Configuration
  static class OwnManager extends OwnHeap {
    @Bean
    HeapTransactionManager mine(Heap heap) {
      return new HeapTransactionManager(heap);
    }
  }

  @Test
  void aHeapThatTheProgramMakesHasAManagerHealthAndMeters() {
    try (var context = start(OwnHeap.class)) {
      Service service = context.getBean(Service.class);
      Heap heap = context.getBean(Heap.class);
      map(heap);
      assertThatThrownBy(() -> service.put(true)).hasMessage(BOOM);
      assertThat(map(heap)).isEmpty();
      assertThat(context.getBean(PlatformTransactionManager.class))
          .isSameAs(context.getBean("heapTransactionManager"));
      assertThat(context.containsBean("everheapHealthIndicator")).isTrue();
      assertThat(context.getBean(HeapMetrics.class)).isNotNull();
    }
  }

  @Test
  void twoHeapsHaveNoManagerUnlessTheProgramMakesOne() {
    try (var context = start(TwoHeaps.class)) {
      assertThatThrownBy(() -> context.getBean(TransactionManager.class))
          .isInstanceOf(NoSuchBeanDefinitionException.class);
    }
  }

  @Test
  void aManagerOfTheProgramIsTheOnlyOne() {
    try (var context = start(OwnManager.class)) {
      assertThat(context.getBeanNamesForType(TransactionManager.class)).containsExactly("mine");
    }
  }

  private ConfigurableApplicationContext start(Class<?> application) {
    Map<String, Object> properties = new HashMap<>();
    properties.put("spring.data.jpa.repositories.enabled", "false");
    if (application.equals(JdbcApplication.class) || application.equals(JpaApplication.class)) {
      properties.put("everheap.heap.directory", directory.resolve("heap").toString());
      properties.put("spring.datasource.url", "jdbc:h2:mem:" + directory.getFileName());
      properties.put("spring.jpa.hibernate.ddl-auto", "create");
      properties.put("spring.jpa.open-in-view", "false");
    }
    return new SpringApplicationBuilder(application)
        .web(WebApplicationType.NONE)
        .properties(properties)
        .run();
  }
}
