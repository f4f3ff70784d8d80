package io.everheap.cli;

import io.everheap.Backups;
import io.everheap.HeapBuilder;
import io.everheap.encryption.KeyProvider;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBackups;
import io.everheap.journal.JournalBuilder;
import io.everheap.replication.JournalReplica;
import io.everheap.replication.Replica;
import io.everheap.store.ShardedStore;
import io.everheap.store.ShardedStoreBuilder;
import io.everheap.store.StoreBackups;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that says where the key of an encrypted heap or journal comes from. */
public final class KeyOptions {
  @Option(
      names = "--key",
      paramLabel = "SOURCE",
      description =
          "Where the key comes from of what is encrypted: file:PATH, env:VARIABLE or"
              + " command:PROGRAM. A key is 64 hexadecimal digits.")
  private @Nullable String source;

  /** No key, until the option is parsed. */
  public KeyOptions() {}

  /** The provider of the key; null if the option was not given. */
  public @Nullable KeyProvider provider() {
    return source == null ? null : provider(source);
  }

  /** The provider of the key, which must be given. */
  KeyProvider required() {
    KeyProvider provider = provider();
    if (provider == null) {
      throw new RefusedException("give the key: --key SOURCE; openssl rand -hex 32 prints one");
    }
    return provider;
  }

  /** The provider that a source names. */
  static KeyProvider provider(String source) {
    try {
      return KeyProvider.from(source);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(String.valueOf(e.getMessage()));
    }
  }

  /** The backups in a directory, encrypted if there is a key. */
  Backups backups(Path directory) {
    KeyProvider provider = provider();
    return provider == null ? Backups.in(directory) : Backups.in(directory).encrypt(provider);
  }

  /** The backups of journals in a directory, encrypted if there is a key. */
  JournalBackups journalBackups(Path directory) {
    KeyProvider provider = provider();
    JournalBackups backups = JournalBackups.in(directory);
    return provider == null ? backups : backups.encrypt(provider);
  }

  /** Prepares to open a journal, with its key if there is one. */
  JournalBuilder journal(Path directory) {
    KeyProvider provider = provider();
    JournalBuilder builder = Journal.builder(directory);
    return provider == null ? builder : builder.encrypt(provider);
  }

  /** Prepares to open a store, with its key if there is one. */
  ShardedStoreBuilder store(Path directory) {
    KeyProvider provider = provider();
    ShardedStoreBuilder builder = ShardedStore.builder(directory);
    return provider == null ? builder : builder.encrypt(provider);
  }

  /** The backups of stores in a directory, encrypted if there is a key. */
  StoreBackups storeBackups(Path directory) {
    KeyProvider provider = provider();
    StoreBackups backups = StoreBackups.in(directory);
    return provider == null ? backups : backups.encrypt(provider);
  }

  /** The replica in a directory, encrypted if there is a key. */
  Replica.Builder replica(Path directory) {
    KeyProvider provider = provider();
    Replica.Builder builder = Replica.of(directory);
    return provider == null ? builder : builder.encrypt(provider);
  }

  /** The replica of a journal in a directory, encrypted if there is a key. */
  JournalReplica.Builder journalReplica(Path directory) {
    KeyProvider provider = provider();
    JournalReplica.Builder builder = JournalReplica.of(directory);
    return provider == null ? builder : builder.encrypt(provider);
  }

  /** Sets the key, if there is one; returns the builder. */
  public HeapBuilder apply(HeapBuilder builder) {
    KeyProvider provider = provider();
    return provider == null ? builder : builder.encrypt(provider);
  }
}
