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

  /**
   * The superclass of the builder; see {@link MediumSetting.Holder}. Not thread-safe.
   *
   * @hidden
   */
  @SuppressWarnings("InvalidBlockTag") // the javadoc tool knows @hidden
  public abstract static class Holder extends MediumSetting.Holder {
    private @Nullable EngineOptions options;

    /** Overrides nothing. */
    protected Holder() {}
  }
}
