package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.codec.Codecs;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.codec.derived.DerivedCodecs;
import io.everheap.encryption.KeyProvider;
import io.everheap.report.Backup;
import io.everheap.support.release.Release;
import io.everheap.support.release.ReleasedKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Makes the stores that each release leaves for the builds after it: closed, killed, in the middle
 * of a change of the number of shards, encrypted, and their backups. A file that is there is not
 * made again.
 *
 * <p>The file of Farsi is of 0.9.0 alone. This class made it in a build without the commit "Format
 * numbers and texts without the default locale", with {@code -Duser.language=fa}: the directories
 * of its shards have Farsi digits, as those of stores that such builds made under such locales.
 */
public final class ReleasedStores {
  static final String CLOSED = "store-closed";
  static final String KILLED = "store-killed";
  static final String RESHARDING = "store-resharding";
  static final String FARSI = "store-farsi";
  static final String ENCRYPTED = "store-encrypted";
  static final String BACKUPS = "store-backups";
  static final String ENCRYPTED_BACKUPS = "store-backups-encrypted";
  static final int SHARDS = 3;
  static final int KEYS = 40;

  private static final String TEXT = "\u0633\u06f1 ";

  private final Path to;
  private final Path work;

  private ReleasedStores(Path to) throws IOException {
    this.to = Files.createDirectories(to);
    this.work = Files.createTempDirectory("release");
  }

  /**
   * Makes those that are missing.
   *
   * @param arguments the directory of the release, and the names of files to make, if not all
   */
  public static void main(String[] arguments) throws IOException {
    var stores = new ReleasedStores(Path.of(arguments[0]));
    List<String> names =
        arguments.length > 1
            ? List.of(arguments).subList(1, arguments.length)
            : List.of(CLOSED, KILLED, RESHARDING, ENCRYPTED, BACKUPS, ENCRYPTED_BACKUPS);
    for (String name : names) {
      Path zip = stores.to.resolve(name + ".zip");
      if (!Files.exists(zip)) {
        stores.make(name, zip);
      }
    }
  }

  private void make(String name, Path zip) throws IOException {
    Path directory = work.resolve(name);
    switch (name) {
      case KILLED -> {
        try (ShardedStore store = open(directory, SHARDS, null)) {
          fill(store);
          Release.zip(directory, zip);
        }
      }
      case RESHARDING -> makeResharding(directory, zip);
      case ENCRYPTED -> {
        try (ShardedStore store = open(directory, 1, key())) { // small: it cannot be compressed
          texts(store).put(text(0), text(1));
          store.shard(0).heap.shrink();
        }
        Release.zip(directory, zip);
      }
      case BACKUPS -> makeBackups(directory, zip, null);
      case ENCRYPTED_BACKUPS -> makeBackups(directory, zip, key());
      default -> {
        try (ShardedStore store = open(directory, SHARDS, null)) {
          fill(store);
        }
        Release.zip(directory, zip);
      }
    }
  }

  private KeyProvider key() throws IOException {
    return KeyProvider.of(Release.keyIn(to));
  }

  /** Packs the store when the keys of the first shard have been moved, and those of others not. */
  private static void makeResharding(Path directory, Path zip) {
    try (ShardedStore store = open(directory, SHARDS - 1, null)) {
      fill(store);
      boolean[] packed = {false};
      store.reshard(
          SHARDS,
          (done, all) -> {
            if (!packed[0] && done >= all / 3) {
              packed[0] = true;
              try {
                Release.zip(directory, zip);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }
          });
    }
  }

  private void makeBackups(Path directory, Path zip, @Nullable KeyProvider key) throws IOException {
    StoreBackups backups = StoreBackups.in(directory);
    if (key != null) {
      backups = backups.encrypt(key);
    }
    try (ShardedStore store = open(work.resolve(zip.getFileName() + "-live"), 2, key)) {
      putAll(store, 1);
      backups.take(store);
      putAll(store, 2);
      backups.take(store, Backup.Kind.INCREMENTAL);
    }
    Release.zip(directory, zip);
  }

  static ShardedStore open(Path directory, int shards, @Nullable KeyProvider key) {
    ShardedStoreBuilder builder =
        ShardedStore.builder(directory).shards(shards).heaps(heap -> heap.logSize(16 << 20));
    return (key == null ? builder : builder.encrypt(key)).open();
  }

  // ---- What is in them ----------------------------------------------------------------------

  static String text(int i) {
    return TEXT + i;
  }

  static ShardedMap<String, String> texts(ShardedStore store) {
    return store.map("texts", String.class, String.class);
  }

  private static ShardedMap<List<Long>, String> lists(ShardedStore store) {
    return store.map("lists", DerivedCodecs.list(Codecs.LONG), Codecs.STRING);
  }

  private static ShardedMap<ReleasedKey.Route, Long> routes(ShardedStore store) {
    return store.map("routes", new CodecRegistry().forClass(ReleasedKey.Route.class), Codecs.LONG);
  }

  private static ShardedSortedMap<Long, String> sorted(ShardedStore store) {
    return store.sortedMap("sorted", Long.class, String.class);
  }

  private static ReleasedKey.Route route(List<ReleasedKey.Point> points) {
    return new ReleasedKey.Route(points, ReleasedKey.Shade.DARK);
  }

  private static ReleasedKey.Point point(int i) {
    return new ReleasedKey.Point(i, text(i));
  }

  /** Stores everything; the sorted map in one batch over all shards. */
  private static void fill(ShardedStore store) {
    StoreBatch batch = store.batch();
    for (int i = 0; i < KEYS; i++) {
      texts(store).put(text(i), "value " + i);
      lists(store).put(List.of((long) i, -1L), "value " + i);
      routes(store).put(route(List.of(point(i))), (long) i);
      batch.put(sorted(store), (long) i - 20, "value " + i);
    }
    batch.commit();
  }

  /** Requires everything, by equal keys of several classes. */
  static void requireAll(ShardedStore store) {
    for (int i = 0; i < KEYS; i++) {
      long n = i;
      assertThat(texts(store).get(text(i))).isEqualTo("value " + i);
      assertThat(lists(store).get(new ArrayList<>(List.of(n, -1L)))).isEqualTo("value " + i);
      assertThat(lists(store).get(Arrays.asList(n, -1L))).isEqualTo("value " + i);
      assertThat(routes(store).get(route(new CopyOnWriteArrayList<>(List.of(point(i))))))
          .isEqualTo(n);
      assertThat(sorted(store).get(n - 20)).isEqualTo("value " + i);
    }
    assertThat(texts(store).asMap()).hasSize(KEYS);
    assertThat(lists(store).asMap()).hasSize(KEYS).containsKey(List.of(7L, -1L));
    assertThat(routes(store).asMap()).hasSize(KEYS);
    assertThat(List.copyOf(sorted(store).asMap().keySet())).hasSize(KEYS).isSorted();
    assertThat(store.names()).containsExactlyInAnyOrder("texts", "lists", "routes", "sorted");
  }

  /** Replaces and removes everything by equal keys of other classes. */
  static void replaceAndRemove(ShardedStore store) {
    for (int i = 0; i < KEYS; i++) {
      long n = i;
      assertThat(texts(store).replace(text(i), "replaced")).isEqualTo("value " + i);
      assertThat(texts(store).remove(text(i))).isEqualTo("replaced");
      assertThat(lists(store).put(Arrays.asList(n, -1L), "replaced")).isEqualTo("value " + i);
      assertThat(lists(store).remove(new CopyOnWriteArrayList<>(List.of(n, -1L))))
          .isEqualTo("replaced");
      assertThat(routes(store).remove(route(Collections.singletonList(point(i))))).isEqualTo(n);
      store.batch().remove(sorted(store), n - 20).commit();
    }
    assertThat(texts(store).isEmpty()).isTrue();
    assertThat(lists(store).isEmpty()).isTrue();
    assertThat(routes(store).isEmpty()).isTrue();
    assertThat(sorted(store).isEmpty()).isTrue();
  }

  /** In one batch. */
  private static void putAll(ShardedStore store, int version) {
    StoreBatch batch = store.batch();
    for (int i = 0; i < KEYS; i++) {
      batch.put(texts(store), text(i), "version " + version);
    }
    batch.commit();
  }
}
