package io.everheap.heap;

import io.everheap.engine.EngineOptions;
import io.everheap.memory.MediumSetting;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a builder that extends this so that users do not see them. Not thread-safe.
 *
 * @hidden
 */
@SuppressWarnings("InvalidBlockTag") // the javadoc tool knows @hidden
public abstract class HeapSettings extends MediumSetting {
  private @Nullable EngineOptions options;

  /** No settings. */
  protected HeapSettings() {}

  /**
   * Overrides every size and limit; returns the builder.
   *
   * @hidden
   */
  public static <B extends HeapSettings> B options(B builder, EngineOptions options) {
    HeapSettings settings = builder;
    settings.options = Objects.requireNonNull(options, "options");
    return builder;
  }

  /**
   * Sizes and limits; null for those of the builder.
   *
   * @hidden
   */
  protected static @Nullable EngineOptions optionsOf(HeapSettings builder) {
    return builder.options;
  }
}
