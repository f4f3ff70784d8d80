package io.everheap.journal.replica;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.ReadOnlyException;
import io.everheap.memory.Internals;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumSetting;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Internals} of an open journal: the ends of its replication, for the modules of this
 * project. Thread-safe.
 *
 * @param origin of replicas; null for a journal that is only read
 */
public record JournalReplication(@Nullable JournalOrigin origin) {
  /**
   * Returns a {@code Journal} as the origin of replicas.
   *
   * @throws ReadOnlyException if it is only read here
   */
  public static JournalOrigin origin(Object journal, String location) {
    JournalOrigin origin = Internals.of(journal, JournalReplication.class).origin;
    if (origin == null) {
      throw ReadOnlyException.journal(location);
    }
    return origin;
  }

  /**
   * Opens the files of a replica.
   *
   * @param builder any {@code JournalBuilder}
   * @param medium of the replica, which {@link JournalTarget#close} closes
   * @param keys of an encrypted replica; null if it is not encrypted
   */
  public static JournalTarget target(Object builder, Medium medium, @Nullable KeyProvider keys) {
    return Internals.of(builder, Opener.class).opener.apply(medium, keys);
  }

  /** The {@link Internals} of a {@code JournalBuilder}. Not thread-safe. */
  public static final class Opener extends MediumSetting {
    private final BiFunction<Medium, @Nullable KeyProvider, JournalTarget> opener;

    /** Sets what opens the files of a replica. */
    public Opener(BiFunction<Medium, @Nullable KeyProvider, JournalTarget> opener) {
      this.opener = opener;
    }
  }
}
