package io.everheap.memory;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The medium of a builder that extends this so that users do not see it. Not thread-safe.
 *
 * @hidden
 */
@SuppressWarnings("InvalidBlockTag") // the javadoc tool knows @hidden
public abstract class MediumSetting {
  private @Nullable Medium medium;

  /** The directory's own medium. */
  protected MediumSetting() {}

  /**
   * Uses a medium instead of the directory's own; returns the builder.
   *
   * @hidden
   */
  public static <B extends MediumSetting> B medium(B builder, Medium medium) {
    MediumSetting setting = builder;
    setting.medium = Objects.requireNonNull(medium, "medium");
    return builder;
  }

  /**
   * The medium; null for the directory's own.
   *
   * @hidden
   */
  protected static @Nullable Medium mediumOf(MediumSetting builder) {
    return builder.medium;
  }
}
