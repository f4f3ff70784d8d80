package io.everheap.journal.replica;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.ReadOnlyException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumSetting;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Access to the ends of a journal's replication, for the modules of this project. Thread-safe. */
public final class JournalReplication {
  private JournalReplication() {}

  /**
   * An open journal as the origin of replicas.
   *
   * @throws ReadOnlyException if it is only read here
   */
  public static JournalOrigin origin(Parts journal, String location) {
    JournalOrigin origin = journal.origin;
    if (origin == null) {
      throw ReadOnlyException.journal(location);
    }
    return origin;
  }

  /**
   * Opens the files of a replica.
   *
   * @param builder any
   * @param medium of the replica, which {@link JournalTarget#close} closes
   * @param keys of an encrypted replica; null if it is not encrypted
   */
  public static JournalTarget target(Opener builder, Medium medium, @Nullable KeyProvider keys) {
    return builder.opener.apply(medium, keys);
  }

  /**
   * The superclass of {@code Journal}.
   *
   * @hidden
   */
  @SuppressWarnings("InvalidBlockTag") // the javadoc tool knows @hidden
  public abstract static class Parts {
    private final @Nullable JournalOrigin origin;

    /** Sets the origin; null for a journal that is only read. */
    protected Parts(@Nullable JournalOrigin origin) {
      this.origin = origin;
    }
  }

  /**
   * The superclass of {@code JournalBuilder}. Not thread-safe.
   *
   * @hidden
   */
  @SuppressWarnings("InvalidBlockTag") // the javadoc tool knows @hidden
  public abstract static class Opener extends MediumSetting.Holder {
    private final BiFunction<Medium, @Nullable KeyProvider, JournalTarget> opener;

    /** Sets what opens the files of a replica. */
    protected Opener(BiFunction<Medium, @Nullable KeyProvider, JournalTarget> opener) {
      this.opener = opener;
    }
  }
}
