package io.everheap.journal;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.LockedException;
import io.everheap.error.MissingException;
import io.everheap.journal.replica.JournalReplication;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Closing;
import io.everheap.memory.DaxMedium;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Internals;
import io.everheap.memory.Media;
import io.everheap.memory.Medium;
import io.everheap.stability.Stable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Configures and opens a journal. The defaults: segments of 32 MiB, every append durable when it
 * returns, persistent memory where the file system offers it, records without a time, nothing
 * released automatically. Not thread-safe.
 *
 * @since 0.9
 */
@Stable
public final class JournalBuilder {
  static {
    Internals.show(JournalBuilder.class, builder -> builder.internal);
  }

  private static final int SEGMENT = 32 << 20;
  private static final Duration LEAST_INTERVAL = Duration.ofNanos(100_000);
  private static final Duration MOST_INTERVAL = Duration.ofHours(1);

  private enum Storage {
    AUTO,
    FILE,
    DAX
  }

  private final JournalReplication.Opener internal =
      new JournalReplication.Opener(
          (medium, key) -> new SegmentReceiver(Sealing.forWriting(medium, key)));
  private final Path directory;
  private Storage storage = Storage.AUTO;
  private int segmentSize = SEGMENT;
  private long interval;
  private int ahead = 1;
  private boolean timestamps;
  private long retainBytes;
  private long retainMillis;
  private Duration lockTimeout = Duration.ofMinutes(5);
  private long firstSequence;
  private boolean readOnly;
  private boolean create = true;
  private @Nullable KeyProvider keys;
  private LongBinaryOperator clock = JournalOptions.CLOCK;

  JournalBuilder(Path directory) {
    this.directory = Objects.requireNonNull(directory, "directory");
  }

  /**
   * Sets the size of the files in which records are kept. Larger records get files of their own.
   *
   * @param bytes 16 KiB to 1 GiB, rounded up to a multiple of 4 KiB
   * @return this
   */
  public JournalBuilder segmentSize(int bytes) {
    if (bytes < JournalLayout.MIN_SIZE || bytes > JournalLayout.MAX_SIZE) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "segment size %d is not between %d and %d",
              bytes,
              JournalLayout.MIN_SIZE,
              JournalLayout.MAX_SIZE));
    }
    segmentSize = (int) RecordLayout.align(bytes, SegmentLayout.BLOCK);
    return this;
  }

  /**
   * Makes every append durable before it returns, so that it survives a power loss. The default.
   *
   * @return this
   */
  public JournalBuilder sync() {
    interval = 0;
    return this;
  }

  /**
   * Lets appends return at once: a power loss takes at most the records of the last interval and
   * one sync, and what remains is without gaps; the end of the process takes nothing. On persistent
   * memory the same as {@link #sync}, which costs one fence there.
   *
   * @param every between syncs in the background, 100 microseconds to one hour
   * @return this
   */
  public JournalBuilder async(Duration every) {
    if (every.compareTo(LEAST_INTERVAL) < 0 || every.compareTo(MOST_INTERVAL) > 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "interval %s is not between %s and %s",
              every,
              LEAST_INTERVAL,
              MOST_INTERVAL));
    }
    interval = every.toNanos();
    return this;
  }

  /**
   * Gives each record the time when it was appended, in milliseconds; it takes 8 bytes.
   *
   * @return this
   */
  public JournalBuilder timestamps() {
    timestamps = true;
    return this;
  }

  /**
   * Releases the oldest segments automatically when there are more bytes.
   *
   * @param bytes to keep at least, positive
   * @return this
   */
  public JournalBuilder retainBytes(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("bytes to retain: " + bytes);
    }
    retainBytes = bytes;
    return this;
  }

  /**
   * Releases segments automatically whose records are all older. Their ages are checked when a new
   * segment begins.
   *
   * @param age to keep records for at least, positive
   * @return this
   */
  public JournalBuilder retainFor(Duration age) {
    if (age.isNegative() || age.isZero()) {
      throw new IllegalArgumentException("age to retain: " + age);
    }
    boolean endless = age.compareTo(Duration.ofMillis(Long.MAX_VALUE)) > 0;
    retainMillis = endless ? 0 : Math.max(1, age.toMillis());
    return this;
  }

  /**
   * Sets how many segments are made before they are needed. More let a burst of appends continue
   * without waiting for new files.
   *
   * @param segments 1 to 1024
   * @return this
   */
  public JournalBuilder ahead(int segments) {
    if (segments < 1 || segments > 1024) {
      throw new IllegalArgumentException("segments ahead: " + segments);
    }
    ahead = segments;
    return this;
  }

  /**
   * Sets how long an append waits for a {@link Claim} of another thread before it throws {@link
   * io.everheap.error.LockTimeoutException}; five minutes by default.
   *
   * @param timeout positive
   * @return this
   */
  public JournalBuilder lockTimeout(Duration timeout) {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("lock timeout: " + timeout);
    }
    lockTimeout = timeout;
    return this;
  }

  /**
   * Sets the number of the first record of a new journal, 0 by default. An existing journal keeps
   * its numbers.
   *
   * @param sequence at least 0
   * @return this
   */
  public JournalBuilder firstSequence(long sequence) {
    if (sequence < 0 || sequence >= 1L << 61) {
      throw new IllegalArgumentException("first sequence: " + sequence);
    }
    firstSequence = sequence;
    return this;
  }

  /**
   * Uses ordinary files, also on persistent memory.
   *
   * @return this
   */
  public JournalBuilder onFiles() {
    storage = Storage.FILE;
    return this;
  }

  /**
   * Uses persistent memory, and fails where there is none, or if the journal is encrypted.
   *
   * @return this
   */
  public JournalBuilder onPersistentMemory() {
    storage = Storage.DAX;
    return this;
  }

  /**
   * Encrypts and authenticates the journal when it is made; gives the key of an encrypted one. It
   * is kept on ordinary files, also on persistent memory. With {@link #async} the end of the
   * process takes what a power loss would. A reader decrypts a segment when it comes to it.
   *
   * @param provider gives the wrapping key
   * @return this
   * @see io.everheap.EncryptedDirectory
   */
  public JournalBuilder encrypt(KeyProvider provider) {
    keys = Objects.requireNonNull(provider, "provider");
    return this;
  }

  /**
   * Opens the journal for reading only, while another process, or another {@link Journal} in this
   * one, may be appending. Nothing is written, and writers are not excluded.
   *
   * @return this
   */
  public JournalBuilder readOnly() {
    readOnly = true;
    return this;
  }

  /**
   * Fails if there is no journal, instead of making one.
   *
   * @return this
   */
  public JournalBuilder mustExist() {
    create = false;
    return this;
  }

  /**
   * Sets the clock: from a record's sequence and the time of the record before it to its time, or 0
   * for none.
   */
  JournalBuilder clock(LongBinaryOperator times) {
    clock = times;
    return this;
  }

  /**
   * Opens the journal; recovers it first if it was not closed.
   *
   * @return the journal, to be closed
   * @throws LockedException if it is open for writing elsewhere
   * @throws MissingException if it is missing and must not be made
   * @throws io.everheap.error.CorruptException if it is damaged; nothing was changed then. Opening
   *     {@link #readOnly} throws it only if no record can be found; otherwise readers get all
   *     records before the damage, and then this exception
   * @throws io.everheap.error.EncryptionException if the key is missing or another one, if the
   *     journal is not encrypted, or if it is to be on persistent memory
   * @throws io.everheap.error.EverheapException if its format is unknown or the medium fails
   */
  public Journal open() {
    Medium set = internal.medium();
    Medium on = set != null ? set : openMedium();
    try {
      if ((readOnly || !create) && !StateFile.isThere(on)) {
        throw MissingException.journal(on.location(), null);
      }
      return readOnly
          ? Journal.watch(Sealing.forReading(on, keys, Sealing.ZEROS))
          : Journal.write(Sealing.forWriting(on, keys), options(), firstSequence);
    } catch (Throwable t) {
      Closing.after(t, on::close);
      throw t;
    }
  }

  /** Opens a directory with a journal for reading, as it is stored. */
  static Medium watch(Path directory) {
    try {
      Medium medium = FileMedium.watch(directory);
      try {
        if (!StateFile.isThere(medium)) {
          throw MissingException.journal(directory.toAbsolutePath().toString(), null);
        }
        return medium;
      } catch (Throwable t) {
        Closing.after(t, medium::close);
        throw t;
      }
    } catch (MissingException e) {
      throw MissingException.journal(directory.toAbsolutePath().toString(), e);
    }
  }

  private Medium openMedium() {
    try {
      if (readOnly) {
        return watch(directory);
      }
      return switch (storage) {
        case AUTO ->
            keys == null
                ? Media.open(directory, false, create)
                : FileMedium.open(directory, false, create);
        case FILE -> FileMedium.open(directory, false, create);
        case DAX -> DaxMedium.open(directory, false, create);
      };
    } catch (MissingException e) {
      throw MissingException.journal(directory.toAbsolutePath().toString(), e);
    } catch (LockedException e) {
      throw LockedException.journal(directory.toAbsolutePath().toString(), e.pid(), e);
    }
  }

  private JournalOptions options() {
    return new JournalOptions(
        segmentSize,
        interval,
        ahead,
        timestamps,
        retainBytes,
        retainMillis,
        TimeUnit.NANOSECONDS.convert(lockTimeout),
        internal.threads(),
        clock);
  }
}
