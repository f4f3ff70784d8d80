package io.everheap.cache.store;

import io.everheap.cache.event.CacheRecoveryEvent;
import io.everheap.cache.event.CacheSyncEvent;
import io.everheap.cache.format.Mix;
import io.everheap.cache.format.SlotLayout;
import io.everheap.cache.format.Span;
import io.everheap.cache.format.State;
import io.everheap.cache.policy.Policy;
import io.everheap.cache.table.Pins;
import io.everheap.cache.table.SlotIndex;
import io.everheap.error.MediumException;
import io.everheap.memory.Region;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a cache: bytes under bytes. Lookups take no lock; everything else happens under
 * {@code turn}, but the copying of values, syncs of files and what listeners do.
 *
 * <h2>Order of stores</h2>
 *
 * An entry is made by storing its slot's sequence after everything else of it, and ended by storing
 * 0 there. A new entry is made before the one that it replaces ends; between the two, the larger
 * sequence counts. On byte-addressable storage each of these stores is forced before the next. On
 * files they outlive the process at once; a sync makes them durable, and after a power loss only
 * the entries up to the sequence of the last sync count. In strict mode on files all entries count,
 * and the end of an entry is forced before an operation on its key returns.
 *
 * <pre>
 *   field          mode       guard
 *   validFrom      volatile   written under turn
 *   recovery       volatile   written under turn
 *   failure        volatile   written once
 *   expires        volatile   set once
 *   expiresSooner  volatile   set after such a store; unset under syncing before files are synced
 *   others         plain      turn
 * </pre>
 */
public final class BlockStore implements AutoCloseable {
  private static final long RESERVE = 1L << 36;
  private static final int MANY_ENDS = 1 << 16;

  /** How many times a block's granules are evicted by the policy before a window is cleared. */
  private static final int PATIENCE = 4;

  private final ReentrantLock turn = new ReentrantLock();
  private final Object syncing = new Object();
  private final List<CacheFile> files;
  private final Superblocks superblocks;
  private final Slots slots;
  private final Pins pins;
  private final Space space;
  private final SlotIndex index = new SlotIndex();
  private final Policy policy;
  private final Counters counters = new Counters();
  private final UndurableEnds ends = new UndurableEnds();
  private final boolean byteAddressable;
  private final boolean strict;
  private final LongSupplier clock;
  private final @Nullable Consumer<Departure> listener;
  private final Predicate<Cause> told;
  private final List<Departure> departures = new ArrayList<>();
  private final long hashSeed;
  private final @Nullable CacheRecoveryEvent recoveryEvent;
  private volatile @Nullable Recovery recovery; // null when all entries are known
  private volatile long validFrom;
  private volatile @Nullable Throwable failure;
  private volatile boolean closed;
  private long recovered; // the largest sequence of earlier openings
  private long sequence;
  private long changes = 1; // what a killed process left is to be synced
  private long syncedChanges;
  private long retiring; // granules of entries that ended while pinned
  private volatile boolean expires;
  private volatile boolean expiresSooner;

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
   */
  public record Options(
      long segmentSize,
      boolean strict,
      @Nullable Long token,
      @Nullable Long seed,
      LongSupplier clock,
      PolicyMaker policy,
      @Nullable Consumer<Departure> listener,
      Predicate<Cause> told) {}

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
    CacheFiles.Opened opened =
        CacheFiles.open(
            directories,
            new CacheFiles.Settings(
                options.segmentSize(),
                options.token() == null ? 0 : options.token(),
                options.seed()));
    try {
      return new BlockStore(opened, options);
    } catch (Throwable t) {
      opened.files().forEach(CacheFile::close);
      throw t;
    }
  }

  private BlockStore(CacheFiles.Opened opened, Options options) {
    this.files = opened.files();
    CacheFile first = files.getFirst();
    this.superblocks = new Superblocks(files, opened.state());
    this.slots = new Slots(files);
    this.pins = slots.pins();
    this.space = new Space(slots, files);
    this.policy = options.policy().make(slots, space.granules());
    this.byteAddressable = files.stream().allMatch(CacheFile::byteAddressable);
    this.strict = options.strict() && !byteAddressable;
    this.clock = options.clock();
    this.listener = options.listener();
    this.told = options.told();
    this.hashSeed = first.identity().hashSeed();
    begin(options.token());
    this.validFrom = superblocks.state().validFrom();
    this.recoveryEvent = Events.recovery();
    this.recovery = new Recovery(this, space, slots, new RemovalList(files));
  }

  /** Takes a new epoch; entries may change when all files know it. */
  private void begin(@Nullable Long token) {
    State last = superblocks.state();
    UUID kernel = UUID.nameUUIDFromBytes(incarnation().getBytes(StandardCharsets.UTF_8));
    long devices = 0;
    for (CacheFile file : files) {
      devices ^= file.identity().device();
    }
    List<Span> voids = new ArrayList<>(last.voids());
    boolean powerLost = !last.has(State.CLEAN) && !last.incarnation().equals(kernel);
    if (powerLost && !last.has(State.EACH_DURABLE)) {
      voids.add(new Span(last.synced(), last.reserved()));
    }
    sequence = last.reserved();
    recovered = sequence;
    long reserved = sequence + RESERVE;
    long first = last.validFrom();
    boolean partOfListMissing = last.has(State.SCANNING) && last.devices() != devices;
    boolean otherToken = token != null && token != last.token();
    if (partOfListMissing || otherToken || voids.size() > State.MAX_VOIDS) {
      first = ++sequence;
      voids.clear();
    }
    long synced = last.has(State.CLEAN) ? last.reserved() : last.synced();
    State next =
        last.opening(devices, kernel)
            .token(token == null ? last.token() : token, first)
            .voids(voids)
            .synced(synced)
            .reserved(reserved)
            .flag(State.CLEAN, false)
            .flag(State.SCANNING, true)
            .flag(State.EACH_DURABLE, strict || byteAddressable);
    superblocks.update(state -> next);
    superblocks.update(State::activated);
  }

  private String incarnation() {
    StringBuilder text = new StringBuilder();
    files.forEach(file -> text.append(file.incarnation()).append('\n'));
    return text.toString();
  }

  /** What happened so far. */
  public Counters counters() {
    return counters;
  }

  /** The hash of a key. */
  public long hash(byte[] key) {
    return Mix.hash(key, hashSeed);
  }

  // --- lookups ---

  /**
   * Looks a key up and pins its entry.
   *
   * @return the slot, to be given to {@link #unpin}; -1 if there is no such entry
   */
  public int get(byte[] key, long hash) {
    int slot = find(key, hash);
    if (slot >= 0 && isServed(slot)) {
      policy.accessed(slot);
      counters.hits.increment();
      return slot;
    }
    if (slot >= 0) {
      unpin(slot);
    }
    requireOpen();
    counters.misses.increment();
    return -1;
  }

  /** The same without counting it as a use. */
  public int peek(byte[] key, long hash) {
    int slot = find(key, hash);
    if (slot >= 0 && !isServed(slot)) {
      unpin(slot);
      return -1;
    }
    requireOpen();
    return slot;
  }

  private int find(byte[] key, long hash) {
    while (true) {
      SlotIndex.Table table = index.table(hash);
      int position = table.first(hash);
      boolean moved = false;
      for (long word = table.word(position); word != SlotIndex.EMPTY && !moved; ) {
        if (SlotIndex.matches(word, hash)) {
          int slot = SlotIndex.slot(word);
          int pin = pins.pin(slot);
          if (Pins.state(pin) == Pins.LIVE && isCurrent(slot) && hasKey(slot, key)) {
            return slot;
          }
          unpin(slot);
          moved = table.word(position) != word || index.table(hash) != table;
        }
        position = table.next(position);
        word = table.word(position);
      }
      if (!moved) {
        return -1;
      }
    }
  }

  /** Whether the entry did not end, and no invalidation of all entries covers it. */
  private boolean isCurrent(int slot) {
    long its = SlotLayout.sequence(slots.region(slot), slots.offset(slot));
    return its != 0 && its >= validFrom;
  }

  private boolean hasKey(int slot, byte[] key) {
    Region region = slots.region(slot);
    long offset = slots.offset(slot);
    if (SlotLayout.keyLength(region, offset) != key.length) {
      return false;
    }
    long at =
        space.segment(slots.segment(slot)).granuleOffset(SlotLayout.place(region, offset))
            + SlotLayout.valueLength(region, offset);
    return region.mismatch(at, key, 0, key.length) < 0;
  }

  /** Whether a pinned entry is whole and its time is not over; ends it if not. */
  private boolean isServed(int slot) {
    Region region = slots.region(slot);
    long offset = slots.offset(slot);
    if (!Pins.verified(pins.word(slot))) {
      long length =
          (long) SlotLayout.valueLength(region, offset) + SlotLayout.keyLength(region, offset);
      if (!isWhole(region, offset, blockOffset(slot), length)) {
        end(slot, Cause.DAMAGED);
        return false;
      }
      pins.verify(slot);
    }
    long expiry = SlotLayout.expiry(region, offset);
    if (expiry != SlotLayout.NEVER && expiry <= clock.getAsLong()) {
      end(slot, Cause.EXPIRED);
      return false;
    }
    return true;
  }

  private static boolean isWhole(Region region, long slot, long block, long length) {
    try {
      return SlotLayout.blockCrc(region, block, length) == SlotLayout.valueCrc(region, slot);
    } catch (InternalError e) {
      return false; // the storage cannot read it
    }
  }

  private long blockOffset(int slot) {
    return space.segment(slots.segment(slot)).granuleOffset(slots.place(slot));
  }

  /** The value of a pinned entry. */
  public MemorySegment value(int slot) {
    Region region = slots.region(slot);
    long offset = slots.offset(slot);
    long block = space.segment(slots.segment(slot)).granuleOffset(SlotLayout.place(region, offset));
    return region.segment().asSlice(block, SlotLayout.valueLength(region, offset));
  }

  /** The key of a pinned entry. */
  public byte[] key(int slot) {
    Region region = slots.region(slot);
    long offset = slots.offset(slot);
    byte[] key = new byte[SlotLayout.keyLength(region, offset)];
    region.copyTo(blockOffset(slot) + SlotLayout.valueLength(region, offset), key, 0, key.length);
    return key;
  }

  /** When a pinned entry expires, in milliseconds since 1970; {@link SlotLayout#NEVER}. */
  public long expiry(int slot) {
    return SlotLayout.expiry(slots.region(slot), slots.offset(slot));
  }

  /** When a pinned entry was written, in milliseconds since 1970. */
  public long written(int slot) {
    return SlotLayout.written(slots.region(slot), slots.offset(slot));
  }

  /** The sequence of a pinned entry; 0 if it ended. */
  public long sequence(int slot) {
    return SlotLayout.sequence(slots.region(slot), slots.offset(slot));
  }

  /** Lets a pinned entry expire at another time. */
  public void expiry(int slot, long time) {
    if (time != SlotLayout.NEVER) {
      expires = true;
    }
    boolean isSooner = time < expiry(slot);
    SlotLayout.expiry(slots.region(slot), slots.offset(slot), time);
    if (isSooner) {
      expiresSooner = true;
      if (byteAddressable || strict) {
        slots.file(slot).force(slots.offset(slot), SlotLayout.SIZE); // the later one is over
      }
    }
  }

  /** Takes a pin away; gives the block back if the entry ended and this was the last pin. */
  public void unpin(int slot) {
    if (pins.unpin(slot)) {
      turn.lock();
      try {
        if (closed) {
          return;
        }
        retiring -= slots.weight(slot);
        space.give(slot);
      } finally {
        turn.unlock();
      }
    }
  }

  // --- changes ---

  /** A block that is being filled. */
  public final class Draft {
    private final Space.Block block;
    private final byte[] key;
    private final long hash;
    private final int valueLength;

    private Draft(Space.Block block, byte[] key, long hash, int valueLength) {
      this.block = block;
      this.key = key;
      this.hash = hash;
      this.valueLength = valueLength;
    }

    /** The memory for the value. */
    public MemorySegment memory() {
      return block.segment().memory().region().claim(block.offset(), valueLength);
    }

    /** Makes the entry; the draft must not be used any more. */
    public void insert(long expiry) {
      BlockStore.this.insert(this, expiry);
    }

    /** Gives the memory back; the draft must not be used any more. */
    public void abandon() {
      turn.lock();
      try {
        if (closed) {
          return;
        }
        block.segment().memory().region().claimed(block.offset(), valueLength);
        pins.abandon(block.slot());
        space.give(block.slot());
      } finally {
        turn.unlock();
      }
    }
  }

  /**
   * Takes a block for an entry, evicting others until it fits.
   *
   * @return null if it cannot fit: it is larger than a segment, or pins hold what would make room
   */
  public @Nullable Draft allocate(byte[] key, long hash, long valueLength) {
    if (valueLength < 0) {
      throw new IllegalArgumentException("a negative length: " + valueLength);
    }
    requireUsable();
    var block = new AtomicReference<Space.@Nullable Block>();
    if (valueLength + key.length <= Math.min(space.maxBlock(), Integer.MAX_VALUE)) {
      int length = (int) valueLength;
      // What earlier openings left free is found before anything is evicted for want of room.
      do {
        change(() -> block.set(space.take(key.length, length, slot -> false)), this::hasSpace);
      } while (block.get() == null && scanNext());
      if (block.get() == null) {
        long before = counters.ended(Cause.SIZE).sum();
        change(() -> block.set(take(key.length, length)), this::hasSpace);
        Events.evicted(counters.ended(Cause.SIZE).sum() - before, valueLength);
      }
    }
    Space.Block taken = block.get();
    if (taken == null) {
      counters.rejects.increment();
      return null;
    }
    return new Draft(taken, key, hash, (int) valueLength);
  }

  private Space.@Nullable Block take(int keyLength, int valueLength) {
    int granules = Slots.granules(keyLength, valueLength);
    long evicted = 0;
    int near = -1;
    for (int cleared = 0; ; ) {
      Space.Block block = space.take(keyLength, valueLength, this::evict);
      if (block != null) {
        changes++;
        return block;
      }
      int victim = evicted > (long) PATIENCE * granules ? -1 : policy.victim();
      if (victim >= 0) {
        near = slots.segment(victim);
        evicted += slots.weight(victim);
        if (!mayEnd()) {
          return null;
        }
        evict(victim);
      } else if (cleared++ > PATIENCE || !space.clear(granules, near, this::evict)) {
        return null;
      }
    }
  }

  /** Whether the list of removals, if there is one, has room for another entry's end. */
  private boolean mayEnd() {
    Recovery running = recovery;
    return running == null || running.removals().hasRoom(3);
  }

  private boolean evict(int slot) {
    return mayEnd() && unlink(slot, Cause.SIZE, true);
  }

  /** Whether a segment's entries are known, or will not be. */
  private boolean hasSpace() {
    return recovery == null || space.isUsable();
  }

  private void insert(Draft draft, long expiry) {
    Space.Block block = draft.block;
    CacheFile memory = block.segment().memory();
    Region region = memory.region();
    long offset = block.offset();
    region.claimed(offset, draft.valueLength);
    region.copyFrom(offset + draft.valueLength, draft.key, 0, draft.key.length);
    int length = draft.valueLength + draft.key.length;
    int crc = SlotLayout.blockCrc(region, offset, length);
    memory.forceDirectly(offset, length);
    long now = clock.getAsLong();
    change(() -> make(draft, crc, expiry, now), this::mayEnd);
    counters.inserts.increment();
    forceEnds(draft.hash);
  }

  /** Makes an entry, then ends the one that it replaces. */
  private void make(Draft draft, int crc, long expiry, long now) {
    int slot = draft.block.slot();
    CacheFile memory = slots.file(slot);
    Region region = memory.region();
    long at = slots.offset(slot);
    long its = nextSequence();
    expires = expires || expiry != SlotLayout.NEVER;
    SlotLayout.fill(region, at, memory.salt(), its, draft.hash, crc, expiry, now);
    SlotLayout.publish(region, at, its);
    memory.forceDirectly(at, SlotLayout.SIZE);
    Recovery running = recovery;
    if (running != null) {
      long _ = remember(running, draft.hash, its - 1); // older ones that are not known yet
    }
    int old = index.find(draft.hash, other -> hasKey(other, draft.key));
    pins.publish(slot, true);
    if (old >= 0) {
      index.replace(draft.hash, old, slot);
      unlink(old, Cause.REPLACED, false);
    } else {
      index.add(draft.hash, slot);
    }
    policy.added(slot);
  }

  private long nextSequence() {
    changes++;
    if (sequence >= superblocks.state().reserved()) {
      superblocks.update(state -> state.reserved(sequence + RESERVE));
    }
    return ++sequence;
  }

  /** The entry that is known need not be the newest one of its key. */
  private void rememberAll(long hash) {
    Recovery running = recovery;
    if (running != null) {
      long _ = remember(running, hash, nextSequence());
    }
  }

  /** Says in the list of removals that entries up to a sequence are not served; returns where. */
  private long remember(Recovery running, long hash, long through) {
    long at = running.removals().add(hash, through);
    if (strict) {
      ends.add(hash, files.getFirst(), at, RemovalList.PAIR);
    }
    return at;
  }

  /**
   * Ends an entry.
   *
   * @param indexed whether the index leads to it
   * @return whether its block is free; else it will be when the last pin is closed
   */
  private boolean unlink(int slot, Cause cause, boolean indexed) {
    CacheFile memory = slots.file(slot);
    Region region = memory.region();
    long at = slots.offset(slot);
    long hash = SlotLayout.hash(region, at);
    long its = SlotLayout.sequence(region, at);
    Recovery running = recovery;
    if (running != null && its >= validFrom) {
      long pair = remember(running, hash, its);
      if (its <= recovered) {
        // Else a power loss could keep the end and not the pair, and an older entry came back.
        files.getFirst().force(pair, RemovalList.PAIR);
      }
    }
    changes++;
    SlotLayout.kill(region, at);
    memory.forceDirectly(at, Long.BYTES);
    if (strict) {
      ends.add(hash, memory, at, Long.BYTES);
    }
    if (indexed) {
      index.remove(hash, slot);
    }
    policy.removed(slot, cause == Cause.SIZE);
    counters.ended(cause).increment();
    if (cause == Cause.DAMAGED) {
      counters.damaged.increment();
    } else if (listener != null && told.test(cause)) {
      departures.add(new Departure(key(slot), value(slot).toArray(ValueLayout.JAVA_BYTE), cause));
    }
    if (pins.retire(slot)) {
      space.give(slot);
      return true;
    }
    retiring += slots.weight(slot);
    return false;
  }

  /** Ends an entry that is pinned by the caller, unless it ended. */
  private void end(int slot, Cause cause) {
    if (failure != null || closed) {
      return;
    }
    change(
        () -> {
          if (Pins.state(pins.word(slot)) == Pins.LIVE && mayEnd()) {
            unlink(slot, cause, true);
          }
        },
        () -> true);
  }

  /**
   * Ends the entry of a key.
   *
   * @return whether there was one, as far as entries are known
   */
  public boolean remove(byte[] key, long hash, Cause cause) {
    requireUsable();
    var found = new AtomicBoolean();
    change(
        () -> {
          int slot = index.find(hash, other -> hasKey(other, key));
          rememberAll(hash);
          if (slot >= 0) {
            unlink(slot, cause, true);
            found.set(true);
          }
        },
        this::mayEnd);
    forceEnds(hash);
    return found.get();
  }

  /** Ends a pinned entry, unless it ended; returns whether it did so. */
  public boolean remove(int slot, Cause cause) {
    requireUsable();
    var ended = new AtomicBoolean();
    change(
        () -> {
          if (Pins.state(pins.word(slot)) == Pins.LIVE) {
            rememberAll(slots.hash(slot));
            unlink(slot, cause, true);
            ended.set(true);
          }
        },
        this::mayEnd);
    forceEnds(slots.hash(slot));
    return ended.get();
  }

  /** Ends all entries that were made until now; durable when it returns, in any mode. */
  public void removeAll() {
    requireUsable();
    dropBefore(state -> state);
  }

  /** The token under which entries are written. */
  public long token() {
    return superblocks.state().token();
  }

  /** Ends all entries that were written under another token. */
  public void token(long token) {
    requireUsable();
    if (token != token()) {
      dropBefore(state -> state.token(token, state.validFrom()));
    }
  }

  private void dropBefore(UnaryOperator<State> further) {
    change(
        () -> {
          long next = nextSequence();
          superblocks.update(state -> further.apply(state).validFrom(next));
          validFrom = next;
        },
        () -> true);
    long first = validFrom;
    long _ = sweep(slot -> sequence(slot) < first, Cause.EXPLICIT);
  }

  /** Ends entries, segment by segment; returns how many. */
  private long sweep(IntPredicate which, Cause cause) {
    var count = new AtomicLong();
    for (int i = 0; i < space.segmentCount(); i++) {
      Segment segment = space.segment(i);
      change(
          () -> {
            List<Integer> found = new ArrayList<>();
            segment.forEachUsed(
                slot -> {
                  if (Pins.state(pins.word(slot)) == Pins.LIVE && which.test(slot)) {
                    found.add(slot);
                  }
                });
            for (int slot : found) {
              if (mayEnd() || sequence(slot) < validFrom) {
                unlink(slot, cause, true);
                count.incrementAndGet();
              }
            }
          },
          () -> true);
    }
    return count.get();
  }

  /** Ends entries whose time is over; returns how many. */
  public long expire() {
    if (!expires || recovery != null) {
      return 0;
    }
    long now = clock.getAsLong();
    return sweep(slot -> expiry(slot) <= now, Cause.EXPIRED);
  }

  /** Looks at pinned entries one by one, in the order of their segments. */
  public interface Visitor {
    /** Is given a pinned slot; returns whether to go on. */
    boolean visit(int slot);
  }

  /**
   * Visits the entries of one segment, each pinned meanwhile.
   *
   * @return whether all were visited
   */
  public boolean visit(int segment, Visitor visitor) {
    List<Integer> found = new ArrayList<>();
    turn.lock();
    try {
      space.segment(segment).forEachUsed(found::add);
    } finally {
      turn.unlock();
    }
    for (int slot : found) {
      int word = pins.pin(slot);
      try {
        if (Pins.state(word) == Pins.LIVE && isCurrent(slot) && isServed(slot)) {
          if (!visitor.visit(slot)) {
            return false;
          }
        }
      } finally {
        unpin(slot);
      }
    }
    return true;
  }

  /** The number of segments. */
  public int segments() {
    return space.segmentCount();
  }

  // --- turns ---

  /**
   * Runs a change under the lock, and then tells listeners.
   *
   * @param isPossible is asked under the lock; while it says no, more entries are recovered
   */
  private void change(Runnable change, BooleanSupplier isPossible) {
    List<Departure> told = List.of();
    boolean manyEnds;
    turn.lock();
    try {
      requireUsable();
      while (!isPossible.getAsBoolean()) {
        Recovery running = Objects.requireNonNull(recovery);
        turn.unlock();
        try {
          running.help();
        } finally {
          turn.lock();
        }
        requireUsable();
      }
      guarded(change);
      if (!departures.isEmpty()) {
        told = List.copyOf(departures);
        departures.clear();
      }
      manyEnds = ends.size() > MANY_ENDS;
    } finally {
      turn.unlock();
    }
    Consumer<Departure> to = listener;
    if (to != null) {
      told.forEach(to);
    }
    if (manyEnds) {
      boolean _ = sync();
    }
  }

  /** Runs what may fail with the medium; nothing is changed any more after that. */
  private void guarded(Runnable change) {
    try {
      change.run();
    } catch (MediumException | InternalError e) {
      fail(e);
      throw e;
    }
  }

  /** Nothing can be changed any more. */
  void fail(Throwable e) {
    if (failure == null) {
      failure = e;
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the cache is closed");
    }
  }

  private void requireUsable() {
    requireOpen();
    Throwable cause = failure;
    if (cause != null) {
      throw new MediumException(
          "the cache at %s stopped after a failure (%s); open it again"
              .formatted(files.getFirst().location(), cause.getMessage()),
          cause);
    }
  }

  // --- durability ---

  /** In strict mode on files: makes durable that entries with a hash ended. */
  private void forceEnds(long hash) {
    if (!strict) {
      return;
    }
    List<UndurableEnds.Place> places;
    turn.lock();
    try {
      places = ends.of(hash);
    } finally {
      turn.unlock();
    }
    if (!places.isEmpty()) {
      guarded(() -> places.forEach(UndurableEnds.Place::force));
      turn.lock();
      try {
        ends.durable(hash, places);
      } finally {
        turn.unlock();
      }
    }
  }

  /** Makes everything durable that happened before; returns whether there was something. */
  public boolean sync() {
    synchronized (syncing) {
      long through;
      long seen;
      turn.lock();
      try {
        requireUsable();
        if (byteAddressable || (changes == syncedChanges && !expiresSooner)) {
          return false;
        }
        expiresSooner = false;
        through = sequence;
        seen = changes;
        ends.beginSync();
      } finally {
        turn.unlock();
      }
      CacheSyncEvent event = Events.sync();
      guarded(
          () -> {
            files.forEach(CacheFile::sync);
            superblocks.update(state -> state.synced(through));
          });
      Events.synced(event, through);
      turn.lock();
      try {
        syncedChanges = seen;
        ends.endSync();
      } finally {
        turn.unlock();
      }
      return true;
    }
  }

  // --- recovery ---

  /** Reads the entries of the next segment; false if none is left. Any thread. */
  public boolean scanNext() {
    Recovery running = recovery;
    return running != null && running.next();
  }

  /** Whether all entries of earlier openings are known. */
  public boolean isIndexed() {
    return recovery == null;
  }

  /** Waits until all entries of earlier openings are known, and helps to find them. */
  public void awaitIndexed() {
    for (Recovery running = recovery; running != null; running = recovery) {
      requireUsable();
      running.help();
    }
  }

  /** Runs an action under the lock. */
  void underLock(Runnable action) {
    turn.lock();
    try {
      requireUsable();
      guarded(action);
    } finally {
      turn.unlock();
    }
  }

  /** Whether entries with a sequence can be served. */
  boolean admits(long its) {
    return superblocks.state().admits(its);
  }

  /**
   * Adds an entry of an earlier opening, under the lock. An entry with the same key and a larger
   * sequence wins, whichever was found first.
   *
   * @return whether it is served
   */
  boolean restore(int slot) {
    CacheFile memory = slots.file(slot);
    Region region = memory.region();
    long at = slots.offset(slot);
    long hash = SlotLayout.hash(region, at);
    long its = SlotLayout.sequence(region, at);
    Recovery running = Objects.requireNonNull(recovery);
    if (its < validFrom || running.removals().covers(hash, its)) {
      return drop(slot);
    }
    int other = index.find(hash, known -> slots.hash(known) == hash && hasKey(known, key(slot)));
    if (other >= 0 && sequence(other) > its) {
      return drop(slot);
    }
    pins.publish(slot, false);
    if (other >= 0) {
      index.replace(hash, other, slot);
      unlink(other, Cause.REPLACED, false);
    } else {
      index.add(hash, slot);
    }
    policy.restored(slot);
    expires = expires || SlotLayout.expiry(region, at) != SlotLayout.NEVER;
    counters.recovered.increment();
    return true;
  }

  private boolean drop(int slot) {
    SlotLayout.kill(slots.region(slot), slots.offset(slot));
    slots.file(slot).forceDirectly(slots.offset(slot), Long.BYTES);
    changes++;
    pins.abandon(slot);
    space.give(slot);
    return false;
  }

  /** All segments were read: nothing is void, and nothing has to be remembered any more. */
  void indexed(Recovery done) {
    synchronized (syncing) {
      restoreOrder();
      turn.lock();
      try {
        changes++; // the ends of entries that recovery found are to be durable
      } finally {
        turn.unlock();
      }
      sync();
      guarded(
          () -> superblocks.update(state -> state.voids(List.of()).flag(State.SCANNING, false)));
      turn.lock();
      try {
        recovery = null;
        RemovalList.clear(files);
        Events.recovered(recoveryEvent, counters);
      } finally {
        turn.unlock();
      }
    }
  }

  /** Tells the policy in which order the entries were made. */
  private void restoreOrder() {
    long most = Math.min(Integer.MAX_VALUE / 2, Runtime.getRuntime().maxMemory() / 64);
    if (counters.recovered.sum() > most) {
      return; // they stay in the order of the scan
    }
    long[] found = new long[1024];
    int count = 0;
    for (int i = 0; i < space.segmentCount(); i++) {
      List<long[]> entries = new ArrayList<>();
      Segment segment = space.segment(i);
      turn.lock();
      try {
        segment.forEachUsed(
            slot -> {
              if (Pins.state(pins.word(slot)) == Pins.LIVE) {
                entries.add(new long[] {sequence(slot), slot});
              }
            });
      } finally {
        turn.unlock();
      }
      for (long[] entry : entries) {
        if (count == found.length) {
          found = Arrays.copyOf(found, 2 * count);
        }
        found[count++] = Ages.word(entry[0], (int) entry[1], sequence);
      }
    }
    Arrays.sort(found, 0, count);
    for (int to = count; to > 0; to -= 1 << 16) {
      int[] oldestFirst = new int[Math.min(to, 1 << 16)];
      for (int i = 0; i < oldestFirst.length; i++) {
        oldestFirst[i] = Ages.slot(found[to - oldestFirst.length + i]);
      }
      turn.lock();
      try {
        policy.restored(oldestFirst);
      } finally {
        turn.unlock();
      }
    }
  }

  // --- figures ---

  /**
   * Where the space is, in granules.
   *
   * @param entries how many there are
   * @param granules all, of all segments
   * @param free in segments that are used
   * @param longest free run in these
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

  /** Where the space is now. */
  public Usage usage() {
    turn.lock();
    try {
      requireOpen();
      long fresh = 0;
      for (int i = 0; i < space.segmentCount(); i++) {
        Segment segment = space.segment(i);
        fresh +=
            segment.condition() == Segment.Condition.FRESH ? segment.memory().segmentGranules() : 0;
      }
      long bytes = files.stream().mapToLong(file -> file.identity().fileSize()).sum();
      return new Usage(
          index.size(),
          space.granules(),
          space.freeGranules(),
          space.longestRun(),
          fresh,
          retiring,
          index.bytes() + slots.bytes(),
          bytes);
    } finally {
      turn.unlock();
    }
  }

  /** Whether it is open and nothing failed. */
  boolean isUsable() {
    return failure == null && !closed;
  }

  /** Has threads watch the files until the store is closed; nothing is changed if they are gone. */
  public void watch() {
    files.forEach(file -> file.watch(this::fail));
  }

  /** Lets threads end that recover entries. */
  public void stopRecovery() {
    Recovery running = recovery;
    if (running != null) {
      running.stop();
    }
  }

  /** Makes everything durable and closes the files. Pinned entries must not be used any more. */
  @Override
  public void close() {
    synchronized (syncing) {
      if (closed) {
        return;
      }
      try {
        if (failure == null) {
          sync();
          guarded(
              () -> superblocks.update(state -> state.synced(sequence).flag(State.CLEAN, true)));
        }
      } finally {
        turn.lock();
        try {
          closed = true;
          files.forEach(CacheFile::close);
        } finally {
          turn.unlock();
        }
      }
    }
  }
}
