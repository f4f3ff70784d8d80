package io.everheap.spring.boot;

import io.everheap.replication.ReplicaStatus;
import io.everheap.replication.ReplicationStatus;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Up while primaries wait for as many replicas as they should, and replicas follow. A replica that
 * gave up is down. A primary that is fenced or degraded, or a replica without a connection, is out
 * of service. The details have the reasons. Thread-safe.
 */
final class ReplicationHealthIndicator extends AbstractHealthIndicator {
  private final List<Supplier<ReplicationStatus>> primaries;
  private final Map<String, Supplier<ReplicaStatus>> replicas;

  /**
   * Creates the indicator.
   *
   * @param replicas by the name of the bean
   */
  ReplicationHealthIndicator(
      List<Supplier<ReplicationStatus>> primaries, Map<String, Supplier<ReplicaStatus>> replicas) {
    super("the state of the replication cannot be read");
    this.primaries = primaries;
    this.replicas = new TreeMap<>(replicas);
  }

  @Override
  protected void doHealthCheck(Health.Builder health) {
    boolean waits = false;
    boolean failed = false;
    for (Supplier<ReplicationStatus> each : primaries) {
      ReplicationStatus status = each.get();
      waits |= status.fenced() || status.degraded();
      health.withDetail(status.location(), describe(status));
    }
    for (Map.Entry<String, Supplier<ReplicaStatus>> each : replicas.entrySet()) {
      ReplicaStatus status = each.getValue().get();
      failed |= status.failure() != null;
      waits |= status.problem() != null;
      health.withDetail(each.getKey(), describe(status));
    }
    if (failed) {
      health.down();
    } else if (waits) {
      health.outOfService();
    } else {
      health.up();
    }
  }

  private static String describe(ReplicationStatus status) {
    if (status.fenced()) {
      return "fenced: a replica was promoted in its place";
    }
    String counted = status.replicas().size() + " replicas, commits wait for " + status.copies();
    return status.degraded()
        ? "degraded: too few replicas acknowledge, so commits do not wait for them; " + counted
        : counted;
  }

  private static String describe(ReplicaStatus status) {
    if (status.failure() != null) {
      return "stopped: " + status.failure();
    }
    return status.problem() != null
        ? "not connected: " + status.problem()
        : "follows " + status.primary() + ", " + status.lag() + " bytes behind";
  }
}
