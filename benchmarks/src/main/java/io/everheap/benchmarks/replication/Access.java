package io.everheap.benchmarks.replication;

import io.everheap.replication.AccessBuilder;
import java.nio.file.Path;
import java.util.Map;

/** How primary and replica know each other. */
final class Access {
  private Access() {}

  /** How a subject knows its other end, given its parameters. */
  static <B extends AccessBuilder<B>> B of(Map<String, String> parameters, B builder) {
    String secret = parameters.get("secret");
    return secret == null ? builder.insecure() : builder.secret(Path.of(secret));
  }
}
