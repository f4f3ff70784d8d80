package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.EverheapException;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.report.RestorePoint;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole life of a key, in one walk; at each step providers that fail or err change nothing. */
@Campaign
class KeyLifeTest {
  private static final KeyProvider NEW = TestHeaps.key(2);

  @TempDir private Path dir;

  /** The first key; destroyed in the middle of the walk. */
  private KeyProvider first = TestHeaps.key(1);

  private Path heap() {
    return dir.resolve("heap");
  }

  private Path to() {
    return dir.resolve("backups");
  }

  private Backups backups(KeyProvider key) {
    return Backups.in(to()).encrypt(key);
  }

  private Heap open(KeyProvider key) {
    return TestHeaps.builder(heap()).encrypt(key).archive(to()).open();
  }

  private void put(KeyProvider key, int from, int to) {
    try (Heap heap = open(key)) {
      TestHeaps.put(heap, from, to);
    }
  }

  /** A provider whose answers are changed. */
  private record Changed(
      KeyProvider key, UnaryOperator<byte[]> wrapped, UnaryOperator<byte[]> unwrapped)
      implements KeyProvider {
    @Override
    public byte[] wrap(byte[] dataKey, byte[] context) {
      return wrapped.apply(key.wrap(dataKey, context));
    }

    @Override
    public byte[] unwrap(byte[] bytes, byte[] context) {
      return unwrapped.apply(key.unwrap(bytes, context));
    }
  }

  private static byte[] fail(byte[] bytes) {
    throw new IllegalStateException("made up: " + bytes.length);
  }

  private static byte[] flip(byte[] bytes) {
    byte[] other = bytes.clone();
    other[other.length - 1] ^= 1;
    return other;
  }

  private static byte[] cut(byte[] bytes) {
    return Arrays.copyOf(bytes, bytes.length - 1);
  }

  /** Providers that fail, or return a wrong or a short key, or have another one. */
  private static List<KeyProvider> wrong(KeyProvider key) {
    return List.of(
        new Changed(key, KeyLifeTest::fail, KeyLifeTest::fail),
        new Changed(key, bytes -> bytes, KeyLifeTest::fail),
        new Changed(key, bytes -> bytes, KeyLifeTest::flip),
        new Changed(key, bytes -> bytes, KeyLifeTest::cut),
        new Changed(key, bytes -> bytes, bytes -> new byte[0]),
        new Changed(key, bytes -> bytes, bytes -> new byte[32]));
  }

  @Test
  void fromTheCreationToTheShredding() throws IOException {
    // Create, archive, full and incremental backup.
    for (KeyProvider bad : wrong(first)) {
      assertThatThrownBy(() -> open(bad)).isInstanceOf(RuntimeException.class);
      assertThat(heap()).doesNotExist();
    }
    put(first, 0, 5);
    try (Heap heap = open(first)) {
      backups(first).take(heap);
      TestHeaps.put(heap, 5, 8);
      backups(first).take(heap, Backup.Kind.INCREMENTAL);
    }
    put(first, 8, 11);
    Instant then = afterNow();
    put(first, 11, 14);
    unchanged(wrong(first), this::open);
    unchanged(wrong(first), bad -> backups(bad).list());

    // Rekey the heap, then its backups.
    unchanged(wrong(first), bad -> EncryptedDirectory.rekey(heap(), bad, NEW));
    unchanged(wrong(NEW), bad -> EncryptedDirectory.rekey(heap(), first, bad));
    unchanged(List.of(NEW, TestHeaps.key(3)), bad -> EncryptedDirectory.rekey(heap(), bad, NEW));
    EncryptedDirectory.rekey(heap(), first, NEW);
    unchanged(List.of(first), this::open); // the old key
    unchanged(List.of(NEW), this::open); // the archive has the old key
    unchanged(wrong(first), bad -> backups(bad).rekey(NEW));
    unchanged(wrong(NEW), bad -> backups(first).rekey(bad));
    backups(first).rekey(NEW);
    unchanged(List.of(first), bad -> backups(bad).list());

    // The old key is destroyed; all goes on with the new one.
    first = new Changed(TestHeaps.key(1), KeyLifeTest::fail, KeyLifeTest::fail);
    backups(NEW).restore(new RestorePoint.Time(then), dir.resolve("then"));
    holds("then", 11);
    put(NEW, 14, 16);
    try (Heap heap = open(NEW)) {
      backups(NEW).take(heap, Backup.Kind.INCREMENTAL);
    }

    // A new data key; incremental backups go on.
    byte[] keys = Files.readAllBytes(heap().resolve("keys"));
    unchanged(wrong(NEW), bad -> HeapKeys.renew(heap(), bad, NEW, BackupProgress.NONE));
    for (KeyProvider bad : wrong(NEW)) {
      assertThatThrownBy(() -> HeapKeys.renew(heap(), NEW, bad, BackupProgress.NONE))
          .isInstanceOf(RuntimeException.class);
      assertThat(Files.readAllBytes(heap().resolve("keys"))).isEqualTo(keys);
    }
    HeapKeys.renew(heap(), NEW, NEW, BackupProgress.NONE);
    assertThat(Files.readAllBytes(heap().resolve("keys"))).isNotEqualTo(keys);
    put(NEW, 16, 18);
    try (Heap heap = open(NEW)) {
      backups(NEW).take(heap, Backup.Kind.INCREMENTAL);
      TestHeaps.put(heap, 18, 20);
    }
    backups(NEW).restore(backups(NEW).newest(), dir.resolve("backup"));
    holds("backup", 18);
    backups(NEW).restore(new RestorePoint.Newest(), dir.resolve("newest"));
    holds("newest", 20);

    // The heap is shredded; the backups are not.
    EncryptedDirectory.shred(heap());
    assertThat(heap().resolve("keys")).doesNotExist();
    assertThat(heap().resolve("heap")).doesNotExist();
    Files.write(heap().resolve("keys"), keys); // the old data key opens nothing, there is nothing
    assertThatThrownBy(() -> Heap.builder(heap()).encrypt(NEW).mustExist().open())
        .isInstanceOf(RuntimeException.class);
    backups(NEW).restore(backups(NEW).newest(), dir.resolve("last"));
    holds("last", 18);
  }

  /** Uses a provider; what it opens would be left open, but it is refused. */
  private interface Use {
    void with(KeyProvider provider);
  }

  /** Each provider is refused, and neither the heap nor the backups change. */
  private void unchanged(List<KeyProvider> providers, Use use) {
    Map<String, String> heap = TestHeaps.data(heap());
    Map<String, String> backups = TestHeaps.data(to());
    for (int i = 0; i < providers.size(); i++) {
      KeyProvider bad = providers.get(i);
      ThrowingCallable call = () -> use.with(bad);
      assertThatThrownBy(call)
          .as("provider %s", i)
          .isInstanceOfAny(EverheapException.class, IllegalStateException.class);
      assertThat(TestHeaps.data(heap())).as("provider %s", i).isEqualTo(heap);
      assertThat(TestHeaps.data(to())).as("provider %s", i).isEqualTo(backups);
    }
  }

  private void holds(String restored, int entries) {
    try (Heap heap = TestHeaps.builder(dir.resolve(restored)).encrypt(NEW).open()) {
      TestHeaps.assertHolds(heap, entries);
    }
  }

  /** A time after all that was archived, and before all that will be. */
  private static Instant afterNow() {
    long now = System.currentTimeMillis();
    while (System.currentTimeMillis() <= now + 1) {
      Thread.onSpinWait();
    }
    Instant then = Instant.ofEpochMilli(now + 1);
    while (System.currentTimeMillis() <= now + 2) {
      Thread.onSpinWait();
    }
    return then;
  }
}
