package io.everheap.store;

import io.everheap.Durability;
import io.everheap.HeapBuilder;
import io.everheap.codec.Codec;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.encryption.KeyProvider;
import io.everheap.memory.Internals;
import io.everheap.memory.MediumSetting;
import io.everheap.report.BackupProgress;
import io.everheap.stability.Stable;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Settings for opening a {@link ShardedStore}. Not thread-safe.
 *
 * @since 0.9
 */
@Stable
public final class ShardedStoreBuilder {
  static {
    Internals.show(ShardedStoreBuilder.class, builder -> builder.internal);
  }

  private static final int QUEUE = 1024;

  final MediumSetting internal = new MediumSetting();
  final Path directory;
  final CodecRegistry codecs = new CodecRegistry();
  int shards = Math.clamp(4L * Runtime.getRuntime().availableProcessors(), 1, 32);
  int queue = QUEUE;
  boolean readOnly;
  boolean create = true;
  Durability durability = Durability.SYNC;
  Consumer<HeapBuilder> heaps = heap -> {};
  @Nullable KeyProvider keys;
  @Nullable StoreAnchor anchor;
  boolean acceptMixed;

  ShardedStoreBuilder(Path directory) {
    this.directory = Objects.requireNonNull(directory, "directory");
  }

  /**
   * Number of shards of a new store; one that exists keeps its number. By default four for each
   * processor, at most 32: the more there are, the less often writers meet in one.
   *
   * @param number 1 to 256
   */
  public ShardedStoreBuilder shards(int number) {
    shards = ShardedStore.checked(number);
    return this;
  }

  /** When commits are safe from power loss; {@link Durability#SYNC} by default. */
  public ShardedStoreBuilder durability(Durability durability) {
    this.durability = Objects.requireNonNull(durability, "durability");
    return this;
  }

  /**
   * Number of asynchronous writes that may wait for a shard; 1024 by default. While so many wait,
   * an asynchronous write returns no earlier than a blocking one.
   */
  public ShardedStoreBuilder queue(int writes) {
    if (writes < 1) {
      throw new IllegalArgumentException("a queue has at least one place, not " + writes);
    }
    queue = writes;
    return this;
  }

  /** Settings of the heap of each shard, such as its maximum size. */
  public ShardedStoreBuilder heaps(Consumer<HeapBuilder> settings) {
    heaps = Objects.requireNonNull(settings, "settings");
    return this;
  }

  /**
   * Encrypts and authenticates all files of the store, as {@link HeapBuilder#encrypt} does those of
   * a heap. A store is encrypted from its creation on or never. Only its directory has a key that
   * is wrapped by the provider, so {@code EncryptedDirectory.rekey} of that one is enough.
   *
   * @param provider gives the wrapping key
   */
  public ShardedStoreBuilder encrypt(KeyProvider provider) {
    keys = Objects.requireNonNull(provider, "provider");
    return this;
  }

  /**
   * Refuses a store of which a shard ends before its anchor: somebody put back files of an earlier
   * moment. A store that does not exist is not made. No data of a store that is refused is changed,
   * though shards may be recovered after a crash. After the number of shards has changed, take a
   * new anchor.
   *
   * @param anchor that the program kept elsewhere: {@link ShardedStore#anchor}
   */
  public ShardedStoreBuilder notOlderThan(StoreAnchor anchor) {
    this.anchor = Objects.requireNonNull(anchor, "anchor");
    return this;
  }

  /**
   * Opens a store even if its shards are of different moments, as when one of them was put back
   * from a copy because its disk was lost. Batches over several shards may then be there in part,
   * and keys that moved may be missing or in two shards: check {@link ShardedStore#verify()} and
   * the data. If the file {@code store} may be of an earlier moment, do not change the number of
   * shards: that removes the contents of shards which this file does not know. When the store is
   * opened for writing, its shards belong together again.
   */
  public ShardedStoreBuilder acceptMixedShards() {
    acceptMixed = true;
    return this;
  }

  /** Uses {@code codec} for keys and values of {@code type}. */
  public <T> ShardedStoreBuilder register(Class<T> type, Codec<T> codec) {
    codecs.register(type, codec);
    return this;
  }

  /** Allows records and enums that are not public. */
  public ShardedStoreBuilder lookup(MethodHandles.Lookup lookup) {
    codecs.lookup(lookup);
    return this;
  }

  /** Opens an existing store without writing anything, for tools; every write throws. */
  public ShardedStoreBuilder readOnly() {
    readOnly = true;
    return this;
  }

  /** Fails if there is no store, instead of making one. */
  public ShardedStoreBuilder mustExist() {
    create = false;
    return this;
  }

  /**
   * Brings a store, which must not be open, to the newest version of its files, which earlier
   * builds cannot read. In version 1 a shard that somebody puts back to an earlier moment may go
   * unnoticed; the shards of an encrypted store are {@linkplain io.everheap.HeapKeys#upgrade
   * encrypted again}, one after the other. If this is interrupted, repeat it.
   *
   * @param progress called often, by this thread
   * @return false if the store has the newest version already
   * @throws io.everheap.error.EverheapException if it cannot be opened, is damaged, or there is no
   *     space
   */
  public boolean upgrade(BackupProgress progress) {
    Objects.requireNonNull(progress, "progress");
    mustExist();
    return new Opening(this).upgrade(progress);
  }

  /**
   * Opens the store; finishes first what a crash interrupted.
   *
   * @throws io.everheap.error.EverheapException if it is locked, missing, foreign, damaged or of
   *     another format; no data was changed then
   * @throws io.everheap.error.EncryptionException if the key is missing or another one, or if there
   *     is a store that is not encrypted
   */
  public ShardedStore open() {
    return new Opening(this).open();
  }
}
