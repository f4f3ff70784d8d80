package io.everheap.spring.boot;

import io.everheap.Heap;
import io.everheap.stability.Stable;
import java.util.List;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.TransactionManager;

/**
 * Makes the bean {@value #NAME} for the program's heap, whoever made that.
 *
 * <p>It is the default transaction manager of a program without another one. Beside another one, an
 * unqualified {@code @Transactional} means that one, so this configuration comes after those of
 * Boot that make transaction managers; {@code @Transactional("heapTransactionManager")} means a
 * transaction of the heap.
 *
 * @since 0.9
 */
@AutoConfiguration(
    after = EverheapHeapAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration",
      "org.springframework.boot.transaction.jta.autoconfigure.JtaAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
      "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
      "org.springframework.boot.r2dbc.autoconfigure.R2dbcTransactionManagerAutoConfiguration",
      "org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration",
      "org.springframework.boot.data.mongodb.autoconfigure.DataMongoReactiveAutoConfiguration",
      "org.springframework.boot.data.neo4j.autoconfigure.DataNeo4jAutoConfiguration",
      "org.springframework.boot.data.neo4j.autoconfigure.DataNeo4jReactiveAutoConfiguration",
      "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration"
    },
    beforeName = "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration")
@ConditionalOnSingleCandidate(Heap.class)
@ConditionalOnMissingBean(
    value = HeapTransactionManager.class,
    name = HeapTransactionAutoConfiguration.NAME)
@Stable
public class HeapTransactionAutoConfiguration {
  static final String NAME = "heapTransactionManager";

  private static final System.Logger LOG = System.getLogger("io.everheap.spring");

  /** For Spring Boot. */
  public HeapTransactionAutoConfiguration() {}

  /** The only manager is the default. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingBean(TransactionManager.class)
  static class OnlyManager {
    @Bean(NAME)
    HeapTransactionManager heapTransactionManager(Heap heap) {
      return new HeapTransactionManager(heap);
    }
  }

  /** Beside another manager, this one is used by name only. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean(TransactionManager.class)
  @ConditionalOnMissingBean(value = HeapTransactionManager.class, name = NAME)
  static class OneOfSeveral {
    @Bean(value = NAME, defaultCandidate = false)
    HeapTransactionManager heapTransactionManager(Heap heap, ListableBeanFactory beans) {
      List<String> others =
          List.of(beans.getBeanNamesForType(TransactionManager.class, true, false)).stream()
              .filter(name -> !name.equals(NAME))
              .toList();
      LOG.log(
          System.Logger.Level.INFO,
          "@Transactional means the transaction manager "
              + String.join(", ", others)
              + "; for transactions of the heap at "
              + heap.stats().location()
              + " write @Transactional(\""
              + NAME
              + "\")");
      return new HeapTransactionManager(heap);
    }
  }
}
