package io.everheap.store;

import io.everheap.Durability;
import io.everheap.HeapBuilder;
import io.everheap.codec.Codec;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.encryption.KeyProvider;
import io.everheap.memory.MediumSetting;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Settings for opening a {@link ShardedStore}. Not thread-safe. */
public final class ShardedStoreBuilder extends MediumSetting.Holder {
  private static final int QUEUE = 1024;

  final Path directory;
  final CodecRegistry codecs = new CodecRegistry();
  int shards = Math.clamp(4L * Runtime.getRuntime().availableProcessors(), 1, 32);
  int queue = QUEUE;
  boolean readOnly;
  boolean create = true;
  Durability durability = Durability.SYNC;
  Consumer<HeapBuilder> heaps = heap -> {};
  @Nullable KeyProvider keys;

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
   * is wrapped by the provider, so {@code HeapKeys.rekey} of that one is enough.
   *
   * @param provider gives the wrapping key
   */
  public ShardedStoreBuilder encrypt(KeyProvider provider) {
    keys = Objects.requireNonNull(provider, "provider");
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
