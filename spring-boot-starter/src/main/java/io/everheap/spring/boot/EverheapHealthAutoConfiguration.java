package io.everheap.spring.boot;

import io.everheap.replication.JournalReplica;
import io.everheap.replication.Primary;
import io.everheap.replication.Replica;
import io.everheap.replication.ReplicaStatus;
import io.everheap.replication.ReplicationStatus;
import io.everheap.spring.EverheapCacheAutoConfiguration;
import io.everheap.spring.EverheapCacheManager;
import io.everheap.stability.Stable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Shows the health of the program's cache managers, primaries and replicas, whoever made them.
 *
 * @since 0.9
 */
@AutoConfiguration(after = EverheapCacheAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@Stable
public class EverheapHealthAutoConfiguration {
  /** For Spring Boot. */
  public EverheapHealthAutoConfiguration() {}

  /** For programs with caches. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean(EverheapCacheManager.class)
  @ConditionalOnEnabledHealthIndicator("everheap-cache")
  static class CacheConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "everheapCacheHealthIndicator")
    HealthIndicator everheapCacheHealthIndicator(ObjectProvider<EverheapCacheManager> managers) {
      return new CacheHealthIndicator(managers.stream().toList());
    }
  }

  /** For programs with everheap-replication and a primary or a replica. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(Primary.class)
  @Conditional(OnReplication.class)
  @ConditionalOnEnabledHealthIndicator("everheap-replication")
  static class ReplicationConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "everheapReplicationHealthIndicator")
    HealthIndicator everheapReplicationHealthIndicator(
        ObjectProvider<Primary> primaries, ListableBeanFactory beans) {
      Map<String, Supplier<ReplicaStatus>> replicas = new HashMap<>();
      beans
          .getBeansOfType(Replica.class)
          .forEach((name, replica) -> replicas.put(name, replica::status));
      beans
          .getBeansOfType(JournalReplica.class)
          .forEach((name, replica) -> replicas.put(name, replica::status));
      List<Supplier<ReplicationStatus>> statuses =
          primaries.stream().map(primary -> (Supplier<ReplicationStatus>) primary::status).toList();
      return new ReplicationHealthIndicator(statuses, replicas);
    }
  }

  /** Whether there is a primary or a replica. */
  static class OnReplication extends AnyNestedCondition {
    OnReplication() {
      super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnBean(Primary.class)
    static class OnPrimary {}

    @ConditionalOnBean(Replica.class)
    static class OnReplica {}

    @ConditionalOnBean(JournalReplica.class)
    static class OnJournalReplica {}
  }
}
