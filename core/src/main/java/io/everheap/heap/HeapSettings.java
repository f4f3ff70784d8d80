package io.everheap.heap;

import io.everheap.engine.EngineOptions;
import io.everheap.memory.Internals;
import io.everheap.memory.MediumSetting;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a heap's builder that are internal to the modules of this project. Not thread-safe,
 * like the builder.
 */
public final class HeapSettings extends MediumSetting {
  private @Nullable EngineOptions options;
  private Role role = Role.ORDINARY;

  /** Overrides nothing. */
  public HeapSettings() {}

  private static HeapSettings of(Object builder) {
    return Internals.of(builder, HeapSettings.class);
  }

  /** Overrides all sizes and limits of the builder; returns the builder. */
  public static <B> B options(B builder, EngineOptions options) {
    of(builder).options = Objects.requireNonNull(options, "options");
    return builder;
  }

  /** Returns the sizes and limits that override those of the builder, or null. */
  public @Nullable EngineOptions options() {
    return options;
  }

  /** The role in which a heap is opened. */
  public enum Role {
    /** One that is written by this process; it must not be a replica. */
    ORDINARY,
    /** A replica. */
    REPLICA,
    /** One that was a replica until now. */
    PROMOTED
  }

  /** Sets the role in which the heap is opened; returns the builder. */
  public static <B> B role(B builder, Role role) {
    of(builder).role = Objects.requireNonNull(role, "role");
    return builder;
  }

  /** Returns the role in which the heap is opened. */
  public Role role() {
    return role;
  }
}
