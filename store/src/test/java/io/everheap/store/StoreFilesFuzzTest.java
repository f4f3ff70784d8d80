package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.EverheapException;
import io.everheap.report.BackupProgress;
import io.everheap.support.fuzz.Checksums;
import io.everheap.support.fuzz.Directories;
import io.everheap.support.fuzz.Fuzz;
import io.everheap.support.fuzz.Mutation;
import io.everheap.support.fuzz.Mutator;
import io.everheap.support.release.Release;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The files of a store that its shards do not have, with and without right checksums, and those of
 * its backups. A store that opens without right checksums has all that was put into it.
 */
@Campaign
class StoreFilesFuzzTest {
  /** An open heap has a file of an extent, 1 GiB, with holes. */
  private static final long MOST_STORED = 8L << 30;

  private static final Release RELEASE = Release.all().getFirst();

  @TempDir Path temp;

  private Path store() {
    return temp.resolve("store");
  }

  private Fuzz<SequencedMap<String, byte[]>> fuzz(
      String target,
      int inputs,
      Mutation<SequencedMap<String, byte[]>> mutation,
      String... directories)
      throws IOException {
    Fuzz<SequencedMap<String, byte[]>> fuzz = Fuzz.files(target, mutation);
    for (String name : directories) {
      fuzz.from(RELEASE.contents(name, temp.resolve(name)));
    }
    return fuzz.inputs(inputs)
        .stored(store(), MOST_STORED)
        .allow(EverheapException.class::isInstance);
  }

  @Test
  void theDescriptorAsItIs() throws IOException {
    fuzz(
            "store-raw",
            8,
            Mutation.files(name -> name.equals(Descriptor.FILE)),
            ReleasedStores.CLOSED)
        .run(input -> use(input, null, true));
  }

  @Test
  void theDescriptorWithARightChecksum() throws IOException {
    fuzz("store-descriptor", 15, StoreFilesFuzzTest::descriptor, ReleasedStores.CLOSED)
        .run(input -> use(input, null, false));
  }

  @Test
  void anEncryptedDescriptor() throws IOException {
    KeyProvider key = KeyProvider.of(RELEASE.key());
    fuzz(
            "store-encrypted-raw",
            6,
            Mutation.files(name -> !name.contains("shard")),
            ReleasedStores.ENCRYPTED)
        .run(input -> use(input, key, false));
  }

  @Test
  void backups() throws IOException {
    fuzz("store-backups", 6, Mutation.files(name -> true), ReleasedStores.BACKUPS)
        .run(this::useBackups);
  }

  @Test
  void backupsWithRightChecksums() throws IOException {
    fuzz("store-backups-checksums", 6, StoreFilesFuzzTest::cuts, ReleasedStores.BACKUPS)
        .run(this::useBackups);
  }

  @Test
  void anchors() {
    String anchor;
    try (ShardedStore store =
        ShardedStore.builder(store()).shards(2).encrypt(KeyProvider.of(new byte[32])).open()) {
      anchor = store.anchor().toString();
    }
    Fuzz.bytes("store-anchor")
        .from(anchor.getBytes(StandardCharsets.UTF_8))
        .inputs(2000)
        .allow(IllegalArgumentException.class::isInstance)
        .run(input -> StoreAnchor.parse(new String(input, StandardCharsets.UTF_8)));
  }

  // ---- Mutations ----------------------------------------------------------------------------

  private static SequencedMap<String, byte[]> descriptor(
      SequencedMap<String, byte[]> input, SequencedMap<String, byte[]> other, Mutator mutator) {
    SequencedMap<String, byte[]> files = new TreeMap<>(input);
    byte[] bytes = files.get(Descriptor.FILE);
    if (mutator.random().nextBoolean()) { // version 2, with anchors
      ByteBuffer b = ByteBuffer.allocate(128).order(ByteOrder.LITTLE_ENDIAN);
      b.put(bytes, 0, 40).putInt(8, 2).putInt(56, 60);
      bytes = b.array();
      bytes = mutator.mutateRange(bytes, 8, 120);
      b = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      int end = Math.clamp(60L + b.getInt(56), 60, 124);
      Checksums.crc32c(bytes, 0, end);
    } else {
      bytes = mutator.mutateRange(bytes, 8, bytes.length - 4);
      Checksums.crc32c(bytes, 0, bytes.length - 4);
    }
    files.put(Descriptor.FILE, bytes);
    return files;
  }

  private static SequencedMap<String, byte[]> cuts(
      SequencedMap<String, byte[]> input, SequencedMap<String, byte[]> other, Mutator mutator) {
    SequencedMap<String, byte[]> files = new TreeMap<>(input);
    List<String> names =
        files.keySet().stream().filter(name -> name.endsWith(".store-backup")).toList();
    String name = names.get(mutator.random().nextInt(names.size()));
    byte[] bytes = mutator.mutateRange(files.get(name), 8, files.get(name).length - 4);
    Checksums.crc32c(bytes, 0, bytes.length - 4);
    files.put(name, bytes);
    return files;
  }

  // ---- The oracle ---------------------------------------------------------------------------

  private void use(SequencedMap<String, byte[]> input, @Nullable KeyProvider key, boolean exact) {
    Path directory = Directories.write(input, store());
    attempt(() -> builder(directory, key).readOnly().open().close());
    try (ShardedStore store = builder(directory, key).open()) {
      if (exact) {
        ReleasedStores.requireAll(store);
      }
      attempt(store::verify);
      attempt(() -> ReleasedStores.texts(store).put("new", "value"));
      attempt(() -> store.reshard(2));
    }
    attempt(() -> builder(directory, key).open().close());
  }

  private static ShardedStoreBuilder builder(Path directory, @Nullable KeyProvider key) {
    ShardedStoreBuilder builder = ShardedStore.builder(directory).mustExist();
    return key == null ? builder : builder.encrypt(key);
  }

  private void useBackups(SequencedMap<String, byte[]> input) {
    Path directory = Directories.write(input, temp.resolve("backups"));
    StoreBackups backups = StoreBackups.in(directory);
    for (StoreBackup backup : backups.list()) {
      attempt(() -> backups.verify(backup, BackupProgress.NONE));
      Directories.delete(store());
      attempt(
          () -> {
            backups.restore(backup, store());
            try (ShardedStore store = builder(store(), null).open()) {
              store.verify();
            }
          });
    }
  }

  private static void attempt(Runnable action) {
    try {
      action.run();
    } catch (EverheapException e) {
      assertThat(e.code()).startsWith("EH-");
      assertThat(e.getMessage()).isNotBlank();
    }
  }
}
