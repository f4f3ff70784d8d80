package io.everheap.cache.store;

import io.everheap.cache.event.CacheSyncEvent;
import io.everheap.cache.format.State;
import io.everheap.memory.BriefLock;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Makes durable what was stored: all of it by a sync, or in strict mode on files the ends of
 * entries one by one. Syncs, and what must not happen during one, run one at a time under {@code
 * syncing}, which is taken before the cache's lock. Thread-safe, but for what says otherwise.
 *
 * <pre>
 *   field          mode      guard
 *   syncedChanges  plain     the cache's lock
 *   ends           plain     the cache's lock
 *   expiresSooner  volatile  set after such a store; unset under syncing before files are synced
 *   released       plain     syncing
 * </pre>
 */
final class Durability {
  private static final int MANY_ENDS = 1 << 16;

  private final Object syncing = new Object();
  private final Turn turn;
  private final List<CacheFile> files;
  private final Superblocks superblocks;
  private final Progress progress;
  private final UndurableEnds ends = new UndurableEnds();
  private final boolean byteAddressable;
  private final boolean strict;
  private long syncedChanges;
  private volatile boolean expiresSooner;
  private boolean released;

  /**
   * Over files.
   *
   * @param byteAddressable whether each store is durable when it is forced, on all files
   * @param strict whether the end of an entry is forced; not together with the other one
   */
  Durability(
      Turn turn,
      List<CacheFile> files,
      Superblocks superblocks,
      Progress progress,
      boolean byteAddressable,
      boolean strict) {
    this.turn = turn;
    this.files = files;
    this.superblocks = superblocks;
    this.progress = progress;
    this.byteAddressable = byteAddressable;
    this.strict = strict;
  }

  /** Bytes that end entries with a hash were stored; under the cache's lock. */
  void ended(long hash, CacheFile file, long offset, int length) {
    if (strict) {
      ends.add(hash, file, offset, length);
    }
  }

  /** Whether so many ends are remembered that a sync should take place; under the cache's lock. */
  boolean hasManyEnds() {
    return ends.size() > MANY_ENDS;
  }

  /** Bytes were stored that let an entry expire sooner: the later time is over. */
  void expiresSooner(CacheFile file, long offset, int length) {
    expiresSooner = true;
    if (byteAddressable || strict) {
      file.force(offset, length);
    }
  }

  /** In strict mode on files: makes durable that entries with a hash ended. */
  void forceEnds(long hash) {
    if (!strict) {
      return;
    }
    List<UndurableEnds.Place> places;
    turn.lock.lock();
    try {
      places = ends.of(hash);
    } finally {
      turn.lock.state = BriefLock.FREE;
    }
    if (!places.isEmpty()) {
      turn.guarded(() -> places.forEach(UndurableEnds.Place::force));
      turn.lock.lock();
      try {
        ends.durable(hash, places);
      } finally {
        turn.lock.state = BriefLock.FREE;
      }
    }
  }

  /** In strict mode on files: makes durable that entries ended, whatever their hashes. */
  void forceAllEnds() {
    if (strict) {
      boolean _ = sync();
    }
  }

  /** Makes everything durable that happened before; returns whether there was something. */
  boolean sync() {
    synchronized (syncing) {
      turn.requireUsable();
      return syncNow();
    }
  }

  /**
   * The same, also after the cache stopped to change; under {@code syncing}. What an error leaves
   * undone the next sync does.
   */
  private boolean syncNow() {
    try {
      return syncWhatChanged();
    } catch (Throwable t) {
      expiresSooner = true;
      throw t;
    }
  }

  private boolean syncWhatChanged() {
    long through;
    long seen;
    turn.lock.lock();
    try {
      turn.requireWhole();
      if (byteAddressable || (progress.changes() == syncedChanges && !expiresSooner)) {
        return false;
      }
      expiresSooner = false;
      through = progress.sequence();
      seen = progress.changes();
      ends.beginSync();
    } finally {
      turn.lock.state = BriefLock.FREE;
    }
    CacheSyncEvent event = Events.sync();
    turn.guarded(
        () -> {
          files.forEach(CacheFile::sync);
          superblocks.update(state -> state.synced(through));
        });
    Events.synced(event, through);
    turn.lock.lock();
    try {
      syncedChanges = seen;
      ends.endSync();
    } finally {
      turn.lock.state = BriefLock.FREE;
    }
    return true;
  }

  /** Runs an action while no other thread syncs; the action may. */
  void exclusively(Runnable action) {
    synchronized (syncing) {
      action.run();
    }
  }

  /**
   * Makes everything durable and closes the files. Nothing changes from the start on: a change
   * behind the sync would count as synced. Idempotent.
   *
   * @param last stores what only a closed cache has, before the sync; returns whether it did
   */
  void close(BooleanSupplier last) {
    synchronized (syncing) {
      if (released) {
        return;
      }
      boolean isFirst = !turn.isClosed(); // else it was interrupted by an error
      turn.lock.lock();
      try {
        turn.close();
      } finally {
        turn.lock.state = BriefLock.FREE;
      }
      try {
        if (isFirst && !turn.hasFailed()) {
          turn.guarded(() -> expiresSooner |= last.getAsBoolean());
          boolean _ = syncNow();
          turn.guarded(
              () ->
                  superblocks.update(
                      state -> state.synced(progress.sequence()).flag(State.CLEAN, true)));
          if (files.getFirst().isEncrypted()) {
            // In both places: else damage to one would let the other one ask for no digests.
            turn.guarded(() -> superblocks.update(state -> state));
          }
        }
      } finally {
        turn.lock.lock();
        try {
          CacheFiles.close(files);
          released = true;
        } finally {
          turn.lock.state = BriefLock.FREE;
        }
      }
    }
  }
}
