package io.everheap.cache.store;

import io.everheap.cache.format.Mix;
import io.everheap.cache.format.SlotLayout;
import io.everheap.cache.policy.Policy;
import io.everheap.cache.table.SlotIndex;
import io.everheap.encryption.KeyProvider;
import io.everheap.memory.BriefLock;
import io.everheap.memory.Closing;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a cache: bytes under bytes. Puts the parts together, of which each knows those
 * before it only:
 *
 * <pre>
 *   Turn           the lock, and whether anything may change
 *   Progress       sequences
 *   Durability     syncs, and ends that are forced
 *   Contents       what slots and blocks hold
 *   Removals       what is written down during a recovery
 *   Expiries       when entries expire
 *   Departures     what listeners are told of
 *   Entries        makes and ends entries; the order of stores
 *   Recovery       finds the entries of earlier openings
 *   Changes        runs changes under the lock
 *   Lookups, Insertions, Invalidations
 * </pre>
 *
 * Thread-safe. Lookups take no lock; what happens without the lock otherwise is told at {@link
 * Turn}. Has no state of its own.
 */
public final class BlockStore implements AutoCloseable {
  private final List<CacheFile> files;
  private final long hashSeed;
  private final @Nullable Sealing sealing;
  private final Turn turn;
  private final Superblocks superblocks;
  private final Slots slots;
  private final Space space;
  private final SlotIndex index = new SlotIndex();
  private final Policy policy;
  private final Contents contents;
  private final Durability durability;
  private final Expiries expiries;
  private final Removals removals;
  private final Entries entries;
  private final Recovery recovery;
  private final Lookups lookups;
  private final Insertions insertions;
  private final Invalidations invalidations;
  private final Renames renames;
  private final Counters counters = new Counters();

  /**
   * How to open a store.
   *
   * @param segmentSize bytes, for a new one; 0 for one that fits the capacity
   * @param strict whether removals are durable when they return
   * @param token entries written under another one are not served; null for any
   * @param seed of what is random; null for any
   * @param clock tells milliseconds since 1970
   * @param policy makes the policy for so many granules
   * @param listener is told of entries that ended; null for nobody
   * @param told which causes the listener is told of
   * @param keys gives the key of an encrypted cache; null for one that is not
   */
  public record Options(
      long segmentSize,
      boolean strict,
      @Nullable Long token,
      @Nullable Long seed,
      LongSupplier clock,
      PolicyMaker policy,
      @Nullable Consumer<Departure> listener,
      Predicate<Cause> told,
      @Nullable KeyProvider keys) {}

  /** Makes a policy. */
  public interface PolicyMaker {
    /** For entries of so many granules altogether. */
    Policy make(Policy.Entries entries, long granules);
  }

  /**
   * Opens the files, or makes them. What is in them is known when {@link #scanNext} returned false.
   *
   * @param directories one or more; closed with the store, or if this fails
   */
  public static BlockStore open(List<Place> directories, Options options) {
    CacheFiles.Opened opened = null;
    Sealing sealing = null;
    try {
      sealing = Sealing.open(directories.stream().map(Place::medium).toList(), options.keys());
      opened =
          CacheFiles.open(
              directories,
              new CacheFiles.Settings(
                  options.segmentSize(),
                  options.token() == null ? 0 : options.token(),
                  options.seed(),
                  sealing == null ? null : sealing.sealer()));
      return new BlockStore(opened, options, sealing);
    } catch (Throwable t) {
      if (opened != null) {
        List<CacheFile> files = opened.files();
        Closing.after(t, () -> CacheFiles.close(files));
      }
      directories.forEach(place -> Closing.after(t, place.medium()::abandon));
      if (sealing != null) {
        Closing.after(t, sealing::close);
      }
      throw t;
    }
  }

  private BlockStore(CacheFiles.Opened opened, Options options, @Nullable Sealing sealing) {
    files = opened.files();
    hashSeed = files.getFirst().identity().hashSeed();
    this.sealing = sealing;
    turn = new Turn(files.getFirst().location(), fault -> CacheFiles.explain(files, fault));
    superblocks = new Superblocks(files, opened.state());
    slots = new Slots(files, sealing);
    space = new Space(slots, files);
    contents = new Contents(slots, space, sealing);
    policy = options.policy().make(slots, space.granules());
    boolean byteAddressable = files.stream().allMatch(CacheFile::byteAddressable);
    boolean strict = options.strict() && !byteAddressable;
    Epoch epoch =
        Epoch.begin(
            files, superblocks, options.token(), opened.isMixed(), strict || byteAddressable);
    var progress = new Progress(superblocks, epoch);
    durability = new Durability(turn, files, superblocks, progress, byteAddressable, strict);
    removals = new Removals(turn, files, epoch, progress, durability);
    var base = new Base(turn, slots, space, index, policy, counters);
    expiries = new Expiries(base, contents, durability, removals, options.clock());
    var departures = new Departures(contents, options.listener(), options.told());
    entries = new Entries(base, contents, progress, durability, expiries, removals, departures);
    var order = new InsertionOrder(base, contents, entries, progress);
    recovery =
        new Recovery(
            base,
            superblocks,
            progress,
            durability,
            removals,
            entries,
            order,
            sealing,
            Sealing.digested(opened.state()));
    var changes = new Changes(turn, recovery, durability, departures);
    lookups = new Lookups(base, contents, progress, durability, expiries, entries, changes);
    insertions =
        new Insertions(
            base, progress, durability, expiries, removals, entries, recovery, changes, sealing);
    invalidations =
        new Invalidations(
            base,
            superblocks,
            contents,
            progress,
            durability,
            expiries,
            removals,
            entries,
            changes);
    renames = new Renames(base, superblocks, contents, durability, entries, insertions, changes);
  }

  /** What happened so far. */
  public Counters counters() {
    return counters;
  }

  /** The hash of a key. */
  public long hash(byte[] key) {
    return sealing == null ? Mix.hash(key, hashSeed) : sealing.hash(key);
  }

  // --- lookups ---

  /**
   * Looks a key up and pins its entry.
   *
   * @return the slot, to be given to {@link #unpin}; -1 if there is no such entry
   */
  public int get(byte[] key, long hash) {
    try {
      return lookups.get(key, hash);
    } catch (InternalError e) {
      throw thrown(e);
    }
  }

  /** Whether the cache is encrypted: then values and keys are those of {@link #open}. */
  public boolean isSealed() {
    return sealing != null;
  }

  /**
   * Looks a key up in an encrypted cache, pins its entry and decrypts it.
   *
   * @param isUse whether this counts as a use
   * @return to be closed, before the slot is given to {@link #unpin}; null if there is none
   */
  public @Nullable Opened open(byte[] key, long hash, boolean isUse) {
    try {
      return lookups.open(key, hash, isUse);
    } catch (InternalError e) {
      throw thrown(e);
    }
  }

  /** The same without counting it as a use. */
  public int peek(byte[] key, long hash) {
    try {
      return lookups.peek(key, hash);
    } catch (InternalError e) {
      throw thrown(e);
    }
  }

  /**
   * Visits the entries of one segment, each pinned meanwhile.
   *
   * @return whether all were visited
   */
  public boolean visit(int segment, Visitor visitor) {
    return explained(() -> lookups.visit(segment, visitor));
  }

  /** The number of segments. */
  public int segments() {
    return space.segmentCount();
  }

  /** The value of a pinned entry; not in an encrypted cache. */
  public MemorySegment value(int slot) {
    return contents.value(slot);
  }

  /** The key of a pinned entry; not in an encrypted cache. */
  public byte[] key(int slot) {
    try {
      return contents.key(slot);
    } catch (InternalError e) {
      throw thrown(e);
    }
  }

  /** When a pinned entry expires, in milliseconds since 1970; {@link SlotLayout#NEVER}. */
  public long expiry(int slot) {
    try {
      return contents.expiry(slot);
    } catch (InternalError e) {
      throw thrown(e);
    }
  }

  /** When a pinned entry was written, in milliseconds since 1970. */
  public long written(int slot) {
    try {
      return contents.written(slot);
    } catch (InternalError e) {
      throw thrown(e);
    }
  }

  /** Lets a pinned entry expire at another time. */
  public void expiry(int slot, long time) {
    runExplained(() -> expiries.set(slot, time));
  }

  /** Takes a pin away; gives the block back if the entry ended and this was the last pin. */
  public void unpin(int slot) {
    entries.unpin(slot);
  }

  // --- changes ---

  /**
   * Takes a block for an entry, evicting others until it fits.
   *
   * @return to be given to {@link #insert} or {@link #abandon}; null if it cannot fit: it is larger
   *     than a segment, or pins hold what would make room
   */
  public @Nullable Draft allocate(byte[] key, long hash, long valueLength) {
    try {
      return insertions.allocate(key, hash, valueLength);
    } catch (InternalError e) {
      throw thrown(e);
    }
  }

  /** Makes the entry of a draft, which must not be used any more. */
  public void insert(Draft draft, long expiry) {
    try {
      insertions.insert(draft, expiry);
    } catch (InternalError e) {
      throw thrown(e);
    }
  }

  /** Runs what is rare enough for a lambda, and explains a fault of mapped memory. */
  private <T> T explained(Supplier<T> action) {
    try {
      return action.get();
    } catch (InternalError e) {
      throw thrown(e);
    }
  }

  private void runExplained(Runnable action) {
    try {
      action.run();
    } catch (InternalError e) {
      throw thrown(e);
    }
  }

  /** The exception for an error while a caller copied to or from a file; it stops nothing. */
  public RuntimeException thrown(InternalError error) {
    return turn.thrown(error);
  }

  /** Gives the memory of a draft back, which must not be used any more. */
  public void abandon(Draft draft) {
    try {
      insertions.abandon(draft);
    } catch (InternalError e) {
      throw thrown(e);
    }
  }

  /**
   * Ends the entry of a key.
   *
   * @return whether there was one, as far as entries are known
   */
  public boolean remove(byte[] key, long hash, Cause cause) {
    try {
      return invalidations.remove(key, hash, cause);
    } catch (InternalError e) {
      throw thrown(e);
    }
  }

  /** Ends a pinned entry, unless it ended; returns whether it did so. */
  public boolean remove(int slot, Cause cause) {
    return explained(() -> invalidations.remove(slot, cause));
  }

  /** Ends all entries that were made until now; durable when it returns, in any mode. */
  public void removeAll() {
    runExplained(invalidations::removeAll);
  }

  /** The token under which entries are written. */
  public long token() {
    return superblocks.state().token();
  }

  /** Ends all entries that were written under another token. */
  public void token(long token) {
    runExplained(() -> invalidations.token(token));
  }

  /** Ends entries whose time is over; returns how many. */
  public long expire() {
    return explained(invalidations::expire);
  }

  /** Makes everything durable that happened before; returns whether there was something. */
  public boolean sync() {
    return explained(durability::sync);
  }

  // --- forms of keys ---

  /** Whether no entry has a key in a former form. */
  public boolean isReformed() {
    return superblocks.state().isReformed();
  }

  /** Entries with this sequence or a larger one were written in the present form. */
  public long formed() {
    return superblocks.state().formed();
  }

  /** From now on no entry has a key in a former form; durable. */
  public void setReformed() {
    renames.setReformed();
  }

  /** The sequence of a pinned entry; 0 if it ended. */
  public long sequence(int slot) {
    try {
      return contents.sequence(slot);
    } catch (InternalError e) {
      throw thrown(e);
    }
  }

  /**
   * Gives an entry another key, with the value and the times that it has, if it is there still. It
   * ends without another entry if there is one of that key, or no room.
   *
   * @param slot where the entry was found
   * @param sequence of the entry
   * @param naming makes the new key of the old one; null if the entry is to end
   */
  public void rename(int slot, long sequence, UnaryOperator<byte @Nullable []> naming) {
    runExplained(() -> renames.rename(slot, sequence, naming, this::hash));
  }

  // --- recovery ---

  /** Finds some entries of earlier openings; false if all are known. Any thread. */
  public boolean scanNext() {
    return explained(recovery::next);
  }

  /** Whether all entries of earlier openings are known. */
  public boolean isIndexed() {
    return removals.isIndexed();
  }

  /** Waits until all entries of earlier openings are known, and helps to find them. */
  public void awaitIndexed() {
    runExplained(recovery::await);
  }

  /** Waits for threads that recover entries, at most for a time. */
  public void awaitIndexed(Duration patience) {
    recovery.awaitDone(patience.toMillis());
  }

  /** Lets threads end that recover entries. */
  public void stopRecovery() {
    recovery.stop();
  }

  // --- the whole ---

  /**
   * Where the space is, in granules.
   *
   * @param entries how many there are
   * @param granules all, of all segments
   * @param free in segments that are used
   * @param longest block that fits without an eviction
   * @param fresh in segments that were never used
   * @param retiring of entries that ended and are pinned
   * @param memory bytes of the process's memory
   * @param fileBytes of all files
   */
  public record Usage(
      long entries,
      long granules,
      long free,
      long longest,
      long fresh,
      long retiring,
      long memory,
      long fileBytes) {}

  /** How many entries were looked at for tables and windows, of all segments together. */
  long looks() {
    turn.lock.lock();
    try {
      return space.looks();
    } finally {
      turn.lock.state = BriefLock.FREE;
    }
  }

  /** Where the space is now. */
  public Usage usage() {
    turn.lock.lock();
    try {
      turn.requireOpen();
      long bytes = files.stream().mapToLong(file -> file.identity().fileSize()).sum();
      return new Usage(
          index.size(),
          space.granules(),
          space.freeGranules(),
          space.longestRun(),
          space.freshGranules(),
          entries.retiring(),
          index.bytes() + slots.bytes() + policy.bytes(),
          bytes);
    } finally {
      turn.lock.state = BriefLock.FREE;
    }
  }

  /** Has threads watch the files until the store is closed; nothing is changed if they are gone. */
  public void watch() {
    files.forEach(file -> file.watch(turn::fail));
  }

  /** Whether the store is open, and its medium did not fail. */
  boolean isUsable() {
    return turn.isUsable();
  }

  /** A new exception of why nothing can be changed; null if it can. */
  public @Nullable RuntimeException refusal() {
    return turn.refusal();
  }

  /** Makes everything durable and closes the files. Pinned entries must not be used any more. */
  @Override
  public void close() {
    Sealing its = sealing;
    if (its == null) {
      durability.close(() -> false);
    } else {
      new Closing().then(() -> durability.close(() -> digest(its))).then(its::close).end();
    }
  }

  /** Stores the digests of an encrypted cache's segments, if all are known; nothing changes. */
  private boolean digest(Sealing its) {
    if (!removals.isIndexed()) {
      return false;
    }
    for (int i = 0; i < space.segmentCount(); i++) {
      Segment segment = space.segment(i);
      if (segment.condition() == Segment.Condition.READY) {
        segment.storeDigest(slots, its, superblocks.state().epoch());
      }
    }
    return true;
  }
}
