package io.everheap.heap;

import io.everheap.engine.EngineOptions;
import io.everheap.memory.MediumSetting;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a heap's builder that are internal to the modules of this project. Not thread-safe,
 * like the builder.
 */
public final class HeapSettings {
  private HeapSettings() {}

  /** Overrides all sizes and limits of the builder; returns the builder. */
  public static <B extends Holder> B options(B builder, EngineOptions options) {
    Holder settings = builder;
    settings.options = Objects.requireNonNull(options, "options");
    return builder;
  }

  /** The sizes and limits that override those of the builder, or null. */
  public static @Nullable EngineOptions options(Holder builder) {
    return builder.options;
  }

  /** As what a heap is opened. */
  public enum Role {
    /** One that is written by this process; it must not be a replica. */
    ORDINARY,
    /** A replica. */
    REPLICA,
    /** One that was a replica until now. */
    PROMOTED
  }

  /** Sets as what the heap is opened; returns the builder. */
  public static <B extends Holder> B role(B builder, Role role) {
    Holder settings = builder;
    settings.role = Objects.requireNonNull(role, "role");
    return builder;
  }

  /** As what the heap is to be opened. */
  public static Role role(Holder builder) {
    return builder.role;
  }

  /**
   * The superclass of the builder; see {@link MediumSetting.Holder}. Not thread-safe.
   *
   * @hidden
   */
  @SuppressWarnings("InvalidBlockTag") // the javadoc tool knows @hidden
  public abstract static class Holder extends MediumSetting.Holder {
    private @Nullable EngineOptions options;
    private Role role = Role.ORDINARY;

    /** Overrides nothing. */
    protected Holder() {}
  }
}
