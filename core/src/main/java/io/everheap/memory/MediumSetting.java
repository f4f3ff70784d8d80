package io.everheap.memory;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The medium of a builder, and whether it starts threads: settings for the modules of this project,
 * which a builder has among its {@link Internals}. Not thread-safe, like the builder.
 */
public class MediumSetting {
  private @Nullable Medium medium;
  private boolean threads = true;

  /** Sets the directory's own medium, with background threads. */
  public MediumSetting() {}

  private static MediumSetting of(Object builder) {
    return Internals.of(builder, MediumSetting.class);
  }

  /** Uses a medium instead of the directory's own; returns the builder. */
  public static <B> B medium(B builder, Medium medium) {
    of(builder).medium = Objects.requireNonNull(medium, "medium");
    return builder;
  }

  /** Keeps a builder from starting threads; returns the builder. */
  public static <B> B withoutThreads(B builder) {
    of(builder).threads = false;
    return builder;
  }

  /** Returns the medium; null for the directory's own. */
  public final @Nullable Medium medium() {
    return medium;
  }

  /** Whether threads may work in the background. */
  public final boolean threads() {
    return threads;
  }
}
