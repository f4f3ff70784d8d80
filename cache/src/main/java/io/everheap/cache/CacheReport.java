package io.everheap.cache;

import io.everheap.cache.format.SlotLayout;
import io.everheap.cache.format.State;
import io.everheap.cache.format.Superblock;
import io.everheap.cache.store.Inspector;
import io.everheap.encryption.KeyProvider;
import io.everheap.report.VerifyProgress;
import io.everheap.stability.Stable;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the file of a cache holds that no process has open: for tools. Nothing is changed.
 *
 * @param location of the file
 * @param id of the cache
 * @param formatVersion of the file
 * @param openings how often the cache was opened
 * @param generation the token that its entries were put under
 * @param clean whether the cache was closed, with everything durable
 * @param fileBytes size of the file
 * @param segmentBytes size of a segment
 * @param segments how many there are
 * @param freshSegments how many of them were never used
 * @param entries sound ones, with those that expired
 * @param expired how many of them expired
 * @param entryBytes what keys and values take
 * @param dropped slots that an opening will empty, since they were not durable or were invalidated
 * @param problems what is damaged
 * @since 0.9
 */
@Stable
public record CacheReport(
    String location,
    UUID id,
    int formatVersion,
    long openings,
    long generation,
    boolean clean,
    long fileBytes,
    long segmentBytes,
    int segments,
    int freshSegments,
    long entries,
    long expired,
    long entryBytes,
    long dropped,
    List<Problem> problems) {
  /**
   * Damage. Each costs the entry at that place, or the segment; an opening goes on without it.
   *
   * @param offset where in the file
   * @param message what is wrong
   */
  public record Problem(long offset, String message) {
    @Override
    public String toString() {
      return "at byte " + offset + ": " + message;
    }
  }

  /**
   * An entry.
   *
   * @param key its bytes
   * @param length of the value, in bytes
   * @param written when it was put
   * @param expiresAt when it expires; empty if it does not
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Entry(byte[] key, long length, Instant written, Optional<Instant> expiresAt) {}

  /**
   * Reads the tables of a cache, without its values.
   *
   * @param directory of the cache
   * @param key gives the key of an encrypted cache; {@code null} if it is none
   * @return what was found
   * @throws io.everheap.error.MissingException if there is no cache
   * @throws io.everheap.error.LockedException if a process has it open
   * @throws io.everheap.error.ForeignException if the file is not a cache's
   * @throws io.everheap.error.EncryptionException if the cache has another key, none, or one that
   *     is not given
   * @see CacheCheck
   */
  public static CacheReport of(Path directory, @Nullable KeyProvider key) {
    return read(directory, false, key, VerifyProgress.NONE);
  }

  static CacheReport read(
      Path directory, boolean values, @Nullable KeyProvider keys, VerifyProgress progress) {
    try (Inspector inspector = Inspector.open(directory, keys)) {
      var count = new Count(System.currentTimeMillis());
      for (int i = 0; i < inspector.segments(); i++) {
        progress.update("segments", (double) i / inspector.segments());
        inspector.visit(i, values, count);
      }
      Superblock superblock = inspector.superblock();
      State state = superblock.state();
      return new CacheReport(
          inspector.location(),
          superblock.cache(),
          keys == null ? Superblock.VERSION : Superblock.ENCRYPTED,
          state.epoch(),
          state.token(),
          state.has(State.CLEAN),
          superblock.fileSize(),
          superblock.segmentSize(),
          inspector.segments(),
          count.fresh,
          count.entries,
          count.expired,
          count.bytes,
          count.dropped,
          List.copyOf(count.problems));
    }
  }

  /**
   * Visits the entries of a cache, in the order of their places.
   *
   * @param directory of the cache
   * @param visitor is given each; returns whether to go on
   */
  public static void forEach(Path directory, Predicate<Entry> visitor) {
    forEach(directory, visitor, null);
  }

  /**
   * Visits the entries of a cache, in the order of their places.
   *
   * @param directory of the cache
   * @param visitor is given each; returns whether to go on
   * @param keys gives the key of an encrypted cache; {@code null} if it is none
   * @throws io.everheap.error.EncryptionException if the cache has another key, none, or one that
   *     is not given
   */
  public static void forEach(Path directory, Predicate<Entry> visitor, @Nullable KeyProvider keys) {
    try (Inspector inspector = Inspector.open(directory, keys)) {
      boolean[] goesOn = {true};
      var visit =
          new Inspector.Visitor() {
            @Override
            public void entry(Inspector.Found found) {
              goesOn[0] = goesOn[0] && visitor.test(read(found));
            }
          };
      for (int i = 0; i < inspector.segments() && goesOn[0]; i++) {
        inspector.visit(i, keys != null, visit); // keys are encrypted with their values
      }
    }
  }

  private static Entry read(Inspector.Found found) {
    long expiry = found.expiry();
    return new Entry(
        found.key(),
        found.length(),
        Instant.ofEpochMilli(found.written()),
        expiry == SlotLayout.NEVER ? Optional.empty() : Optional.of(Instant.ofEpochMilli(expiry)));
  }

  private static final class Count implements Inspector.Visitor {
    private final long now;
    private int fresh;
    private long entries;
    private long expired;
    private long bytes;
    private long dropped;
    private final List<Problem> problems = new ArrayList<>();

    Count(long now) {
      this.now = now;
    }

    @Override
    public void fresh() {
      fresh++;
    }

    @Override
    public void damagedSegment(int segment, long offset) {
      problems.add(new Problem(offset, "the header of segment " + segment + " is damaged"));
    }

    @Override
    public void dropped() {
      dropped++;
    }

    @Override
    public void damaged(long offset, String what) {
      problems.add(new Problem(offset, what));
    }

    @Override
    public void changedSegment(int segment, long offset) {
      problems.add(
          new Problem(
              offset, "segment " + segment + " is not as it was when the cache was closed"));
    }

    @Override
    public void entry(Inspector.Found found) {
      entries++;
      bytes += found.bytes();
      expired += found.expiry() <= now ? 1 : 0;
    }
  }
}
