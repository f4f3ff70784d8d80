package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.EncryptedDirectory;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.error.ForeignException;
import io.everheap.error.FullException;
import io.everheap.error.MissingException;
import io.everheap.report.BackupProgress;
import io.everheap.support.release.Release;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody who has the files of a store of several moments puts them together. */
@Campaign
class MixedShardsTest {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final List<String> PARTS = List.of("store", "shard-0000", "shard-0001");

  /** Two closes, two copies of one session that was not closed, and the present close. */
  private static final int MOMENTS = 5;

  private static final List<Integer> OPEN = List.of(2, 3);
  private static final int KEYS = 8;

  @TempDir Path temp;

  private final List<Path> moments = new ArrayList<>();
  private StoreAnchor anchor;

  private Path directory() {
    return temp.resolve("bank");
  }

  private ShardedStoreBuilder builder(@Nullable KeyProvider key) {
    ShardedStoreBuilder builder =
        ShardedStore.builder(directory()).shards(2).heaps(heap -> heap.logSize(16 << 20));
    return key == null ? builder : builder.encrypt(key);
  }

  private static ShardedMap<Integer, Integer> map(ShardedStore store) {
    return store.map("m", Integer.class, Integer.class);
  }

  private static void putAll(ShardedStore store, int value) {
    StoreBatch batch = store.batch();
    for (int key = 0; key < KEYS; key++) {
      batch.put(map(store), key, value);
    }
    batch.commit();
  }

  private void makeMoments(@Nullable KeyProvider key) {
    for (int close = 0; close < 2; close++) {
      try (ShardedStore store = builder(key).open()) {
        putAll(store, close);
      }
      copyMoment();
    }
    try (ShardedStore store = builder(key).open()) {
      putAll(store, 2);
      copyMoment();
      putAll(store, 3);
      copyMoment();
    }
    try (ShardedStore store = builder(key).open()) {
      putAll(store, 4);
      anchor = StoreAnchor.parse(store.anchor().toString());
    }
    copyMoment();
  }

  private void copyMoment() {
    Path copy = temp.resolve("moment-" + moments.size());
    copy(directory(), copy);
    moments.add(copy);
  }

  private static void copy(Path from, Path to) {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.exists(directory) ? Files.walk(directory) : Stream.empty()) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Like {@link #mix}, without a copy of the shards: for a program that only reads. */
  private void link(List<Integer> choice) {
    delete(directory());
    try {
      Files.createDirectory(directory());
      for (int i = 0; i < PARTS.size(); i++) {
        Path part = moments.get(choice.get(i)).resolve(PARTS.get(i));
        Files.createSymbolicLink(directory().resolve(PARTS.get(i)), part);
      }
      Path keys = moments.getFirst().resolve("keys");
      if (Files.exists(keys)) {
        Files.copy(keys, directory().resolve("keys"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void mix(List<Integer> choice) {
    delete(directory());
    copy(moments.get(choice.getFirst()), directory());
    for (int i = 0; i < PARTS.size(); i++) {
      Path part = directory().resolve(PARTS.get(i));
      delete(part);
      copy(moments.get(choice.get(i)).resolve(PARTS.get(i)), part);
    }
  }

  private static List<List<Integer>> choices() {
    List<List<Integer>> choices = new ArrayList<>();
    for (int i = 0; i < MOMENTS * MOMENTS * MOMENTS; i++) {
      choices.add(List.of(i % MOMENTS, i / MOMENTS % MOMENTS, i / MOMENTS / MOMENTS));
    }
    return choices;
  }

  private boolean isAccepted(ShardedStoreBuilder builder) {
    try (ShardedStore store = builder.open()) {
      return map(store).asMap().size() == KEYS;
    } catch (CorruptException e) {
      return false;
    }
  }

  /** The parts of one moment are accepted, and those of a session that was not closed. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void onlyTheFilesOfOneMomentAreAccepted(boolean encrypted) {
    KeyProvider key = encrypted ? KEY : null;
    makeMoments(key);
    for (List<Integer> choice : choices()) {
      boolean isOneMoment = choice.stream().distinct().count() == 1;
      boolean isAccepted = isOneMoment || OPEN.containsAll(choice);
      link(choice);
      assertThat(isAccepted(builder(key).readOnly()))
          .as("moments %s of %s", choice, PARTS)
          .isEqualTo(isAccepted);
      assertThat(isAccepted(builder(key).readOnly().notOlderThan(anchor)))
          .as("with an anchor: %s", choice)
          .isEqualTo(isOneMoment && choice.getFirst() == MOMENTS - 1);
    }
    for (List<Integer> choice :
        List.of(List.of(0, 0, 0), List.of(1, 1, 0), List.of(2, 3, 2), List.of(4, 4, 3))) {
      mix(choice);
      assertThat(isAccepted(builder(key).notOlderThan(anchor))).as("%s", choice).isFalse();
      assertThat(isAccepted(builder(key)))
          .as("%s", choice)
          .isEqualTo(choice.getFirst() == 0 || OPEN.containsAll(choice));
    }
  }

  @Test
  void mixedShardsBelongTogetherAgainWhenTheProgramAcceptsThem() {
    makeMoments(null);
    mix(List.of(4, 1, 4));
    assertThatThrownBy(() -> builder(null).open())
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("shard-0000");
    try (ShardedStore store = builder(null).acceptMixedShards().open()) {
      assertThat(map(store).asMap().values()).contains(1, 4);
      putAll(store, 5);
    }
    try (ShardedStore store = builder(null).open()) {
      assertThat(map(store).asMap().values()).containsOnly(5).hasSize(KEYS);
    }
  }

  /** The first file of a store, that of its restored copy, and one of version 1. */
  @Test
  void aFileFromBeforeTheFirstSessionDoesNotFit() throws IOException {
    Path backups = temp.resolve("backups");
    try (ShardedStore store = builder(null).open()) {
      putAll(store, 1);
      StoreBackups.in(backups).take(store);
      store.reshard(3);
    }
    Path file = directory().resolve("store");
    byte[] present = Files.readAllBytes(file);
    Path restored = temp.resolve("restored");
    ShardedStore.restore(backups, restored);
    byte[] ofRestore = Files.readAllBytes(restored.resolve("store"));
    try (ShardedStore store = ShardedStore.open(restored)) {
      assertThat(map(store).asMap().values()).containsOnly(1).hasSize(KEYS);
    }
    Files.write(restored.resolve("store"), ofRestore);
    assertThatThrownBy(() -> ShardedStore.open(restored)).isInstanceOf(CorruptException.class);
    ByteBuffer bytes = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(present, 0, 40).putInt(12, 2).putInt(16, 2);
    Files.write(file, withCrc(bytes.position(60)));
    assertThatThrownBy(() -> builder(null).open()).isInstanceOf(CorruptException.class);
    bytes.putInt(8, 1).position(40);
    Files.write(file, withCrc(bytes));
    assertThatThrownBy(() -> builder(null).open()).isInstanceOf(CorruptException.class);
    Files.write(file, present);
    builder(null).open().close();
  }

  @SuppressWarnings("ByteBufferBackingArray") // the caller allocated it
  private static byte[] withCrc(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.array(), 0, bytes.position());
    bytes.putInt((int) crc.getValue());
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  /** A store that is full can be closed, opened and given more shards. */
  @Test
  void aFullStoreStaysInItsSession() {
    ShardedStoreBuilder small = builder(null).heaps(heap -> heap.maxSize(8 << 20));
    int last = 0;
    try (ShardedStore store = small.open()) {
      ShardedMap<Integer, String> texts = store.map("texts", Integer.class, String.class);
      for (int size = 100_000; size > 0; size /= 10) {
        try {
          for (; ; last++) {
            texts.put(last, "x".repeat(size));
          }
        } catch (FullException e) {
          // The next texts are smaller.
        }
      }
    }
    try (ShardedStore store = small.open()) {
      ShardedMap<Integer, String> texts = store.map("texts", Integer.class, String.class);
      assertThat(texts.asMap()).hasSizeBetween(last - 4, last);
      store.reshard(4);
      texts.clear();
      assertThat(store.verify().problems()).isEmpty();
    }
    try (ShardedStore store = small.open()) {
      assertThat(store.names()).contains("texts");
    }
  }

  /** A shard that was unused is put back to when it held keys. */
  @Test
  void anUnusedShardIsEmptyWhenItIsUsedAgain() {
    try (ShardedStore store = builder(null).open()) {
      putAll(store, 1);
    }
    copyMoment();
    try (ShardedStore store = builder(null).open()) {
      store.reshard(1);
      map(store).clear();
    }
    delete(directory().resolve("shard-0001"));
    copy(moments.getFirst().resolve("shard-0001"), directory().resolve("shard-0001"));
    try (ShardedStore store = builder(null).open()) {
      store.reshard(2);
      assertThat(map(store).isEmpty()).isTrue();
      assertThat(store.verify().problems()).isEmpty();
      putAll(store, 2);
    }
    try (ShardedStore store = builder(null).open()) {
      assertThat(map(store).asMap().values()).containsOnly(2).hasSize(KEYS);
    }
  }

  @Test
  void anAnchorIsThatOfAStoreWhichExists() {
    makeMoments(null);
    delete(directory());
    assertThatThrownBy(() -> builder(null).notOlderThan(anchor).open())
        .isInstanceOf(MissingException.class);
    assertThat(directory()).doesNotExist();
    try (ShardedStore store = builder(null).open()) {
      putAll(store, 1);
    }
    assertThatThrownBy(() -> builder(null).notOlderThan(anchor).open())
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining(anchor.store().toString());
    assertThatThrownBy(() -> StoreAnchor.parse("no anchor"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static List<Release> releases() {
    return Release.all();
  }

  /** Version 1 stays as it is until it is upgraded; an earlier build cannot read it then. */
  @ParameterizedTest
  @MethodSource("releases")
  void aStoreOfAReleaseIsUpgradedOnDemand(Release release) throws IOException {
    release.unzip(ReleasedStores.CLOSED, directory());
    try (ShardedStore store = ShardedStore.open(directory())) {
      assertThat(store.stats().formatVersion()).isEqualTo(1);
      ReleasedStores.requireAll(store);
    }
    assertThat(ShardedStore.builder(directory()).upgrade(BackupProgress.NONE)).isTrue();
    assertThat(ShardedStore.builder(directory()).upgrade(BackupProgress.NONE)).isFalse();
    try (ShardedStore store = ShardedStore.open(directory())) {
      assertThat(store.stats().formatVersion()).isEqualTo(2);
      ReleasedStores.requireAll(store);
    }
    byte[] descriptor = Files.readAllBytes(directory().resolve("store"));
    assertThat(descriptor[8]).isEqualTo((byte) 2); // which earlier builds refuse by name
  }

  @ParameterizedTest
  @MethodSource("releases")
  void anEncryptedStoreOfAReleaseIsUpgradedWithItsShards(Release release) throws IOException {
    release.unzip(ReleasedStores.ENCRYPTED, directory());
    KeyProvider key = KeyProvider.of(release.key());
    assertThat(ShardedStore.builder(directory()).encrypt(key).upgrade(BackupProgress.NONE))
        .isTrue();
    try (ShardedStore store = ShardedStore.builder(directory()).encrypt(key).open()) {
      assertThat(store.stats().formatVersion()).isEqualTo(2);
      assertThat(store.stats().heaps()).allMatch(heap -> heap.encryptionVersion() == 2);
      assertThat(ReleasedStores.texts(store).get(ReleasedStores.text(0)))
          .isEqualTo(ReleasedStores.text(1));
    }
    EncryptedDirectory.rekey(directory(), key, KEY);
    try (ShardedStore store = builder(KEY).open()) {
      assertThat(ReleasedStores.texts(store).isEmpty()).isFalse();
    }
  }

  @Test
  void aFileOfALaterVersionIsRefusedByName() throws IOException {
    builder(null).open().close();
    Path file = directory().resolve("store");
    byte[] bytes = Files.readAllBytes(file);
    bytes[8] = 3;
    Files.write(file, bytes);
    assertThatThrownBy(() -> builder(null).open())
        .isInstanceOf(ForeignException.class)
        .hasMessageContaining("(EH-FORMAT)")
        .hasMessageContaining("version 3");
  }

  /** Each bit of the file: refused, and never another store. */
  @Test
  void everyDamagedFileIsRefused() throws IOException {
    builder(null).open().close();
    Path file = directory().resolve("store");
    byte[] whole = Files.readAllBytes(file);
    for (int bit = 0; bit < whole.length * 8; bit++) {
      byte[] damaged = whole.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(file, damaged);
      assertThatThrownBy(() -> builder(null).readOnly().open())
          .as("bit %s", bit)
          .isInstanceOf(EverheapException.class);
    }
    for (int length = 0; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> builder(null).readOnly().open())
          .as("length %s", length)
          .isInstanceOf(EverheapException.class);
    }
  }
}
