package io.everheap.memory;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The setting of a builder's medium, and whether it starts threads; for the modules of this
 * project. Not thread-safe, like the builder.
 */
public final class MediumSetting {
  private MediumSetting() {}

  /** Uses a medium instead of the directory's own; returns the builder. */
  public static <B extends Holder> B medium(B builder, Medium medium) {
    Holder setting = builder;
    setting.medium = Objects.requireNonNull(medium, "medium");
    return builder;
  }

  /** The medium; null for the directory's own. */
  public static @Nullable Medium medium(Holder builder) {
    return builder.medium;
  }

  /** Keeps a builder from starting threads; returns the builder. */
  public static <B extends Holder> B withoutThreads(B builder) {
    Holder setting = builder;
    setting.threads = false;
    return builder;
  }

  /** Whether threads may work in the background. */
  public static boolean threads(Holder builder) {
    return builder.threads;
  }

  /**
   * The superclass of a builder. Its fields are private and have no accessors, so users cannot
   * reach them through the builder's class. Not thread-safe.
   *
   * @hidden
   */
  @SuppressWarnings("InvalidBlockTag") // the javadoc tool knows @hidden
  public abstract static class Holder {
    private @Nullable Medium medium;
    private boolean threads = true;

    /** Sets the directory's own medium, with background threads. */
    protected Holder() {}
  }
}
