package io.everheap.heap;

import io.everheap.engine.EngineOptions;
import io.everheap.memory.MediumSetting;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Settings of a heap's builder that users do not see, for the modules of this project. */
public final class HeapSettings {
  private HeapSettings() {}

  /** Overrides every size and limit; returns the builder. */
  public static <B extends Holder> B options(B builder, EngineOptions options) {
    Holder settings = builder;
    settings.options = Objects.requireNonNull(options, "options");
    return builder;
  }

  /** Sizes and limits; null for those of the builder. */
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

    /** No settings. */
    protected Holder() {}
  }
}
