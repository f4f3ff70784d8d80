package io.everheap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.encryption.Plaintext;
import io.everheap.error.CorruptException;
import io.everheap.error.EncryptionException;
import io.everheap.error.MissingException;
import io.everheap.report.VerifyProgress;
import io.everheap.support.KeyBytes;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Campaign
class EncryptedHeapTest {
  private static final KeyProvider KEY = TestHeaps.key(1);
  private static final String SECRET = "a secret that nobody may read";

  @TempDir Path temp;

  private Path heap() {
    return temp.resolve("heap");
  }

  private Heap open() {
    return Heap.builder(heap()).encrypt(KEY).open();
  }

  private void fill(int entries) {
    try (Heap heap = open()) {
      var map = heap.map("secrets", String.class, String.class);
      for (int i = 0; i < entries; i++) {
        map.put("key " + i, SECRET + " " + i);
      }
    }
  }

  @Test
  void itHoldsWhatWasStored() {
    fill(2000);
    try (Heap heap = open()) {
      var map = heap.map("secrets", String.class, String.class);
      assertThat(map.size()).isEqualTo(2000);
      for (int i = 0; i < 2000; i++) {
        assertThat(map.get("key " + i)).isEqualTo(SECRET + " " + i);
      }
      assertThat(heap.verify().problems()).isEmpty();
    }
    assertThat(HeapCheck.verify(heap(), KEY, VerifyProgress.NONE).ok()).isTrue();
  }

  /** Pages are dropped and decrypted again, under readers and a writer. */
  @Test
  void itMayBeLargerThanTheMemoryForItsPages() throws Exception {
    int count = 20_000;
    for (int opening = 0; opening < 2; opening++) {
      try (Heap heap = Heap.builder(heap()).encrypt(KEY).memoryBudget(1 << 20).open()) {
        var map = heap.map("large", Integer.class, String.class);
        for (int from = 0; from < count; from += 500) {
          int first = from;
          heap.transact(
              () -> {
                for (int i = first; i < first + 500; i++) {
                  map.put(i, SECRET.repeat(7) + i);
                }
              });
        }
        var failures = new java.util.concurrent.ConcurrentLinkedQueue<Throwable>();
        List<Thread> readers = new ArrayList<>();
        for (int t = 0; t < 3; t++) {
          int seed = t;
          readers.add(
              Thread.ofVirtual()
                  .start(
                      () -> {
                        try {
                          var random = new java.util.Random(seed);
                          for (int i = 0; i < 5_000; i++) {
                            int key = random.nextInt(count);
                            assertThat(map.get(key)).endsWith(String.valueOf(key));
                          }
                        } catch (Throwable e) {
                          failures.add(e);
                        }
                      }));
        }
        for (int i = 0; i < 300; i++) {
          map.put(i * 61 % count, SECRET.repeat(7) + i * 61 % count);
          if (i % 100 == 0) {
            heap.checkpoint();
          }
        }
        for (Thread reader : readers) {
          Limit.join(reader);
        }
        assertThat(failures).isEmpty();
        assertThat(heap.verify().problems()).isEmpty();
      }
    }
  }

  @Test
  void itIsReadWithoutBeingWritten() {
    fill(10);
    try (Heap heap = Heap.builder(heap()).encrypt(KEY).readOnly().open()) {
      assertThat(heap.map("secrets", String.class, String.class).get("key 3")).isNotNull();
    }
  }

  /** In no file, while the heap is open and when it is closed, is any of what was stored. */
  @Test
  void noFileHasPlaintext() throws IOException {
    try (Heap heap = open()) {
      var map = heap.map("secrets", String.class, String.class);
      for (int i = 0; i < 3000; i++) {
        map.put("key " + i, SECRET + " " + i);
        if (i % 500 == 0) {
          heap.checkpoint();
          assertNoPlaintext();
        }
      }
      assertNoPlaintext();
      heap.sync();
      assertNoPlaintext();
    }
    assertNoPlaintext();
  }

  private void assertNoPlaintext() throws IOException {
    Plaintext.requireNone(temp, "secret", "key 1", "nobody", "java.lang");
  }

  @Test
  void anotherKeyIsRefused() {
    fill(1);
    assertThatThrownBy(() -> Heap.builder(heap()).encrypt(TestHeaps.key(2)).open())
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("not the one");
    fill(1);
  }

  @Test
  void withoutAKeyItSaysThatItIsEncrypted() {
    fill(1);
    assertThatThrownBy(() -> Heap.open(heap()))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("is encrypted");
    fill(1);
  }

  @Test
  void aHeapThatIsNotEncryptedIsNotOpenedWithAKey() {
    Heap.open(heap()).close();
    assertThatThrownBy(this::open)
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("is not encrypted");
    Heap.open(heap()).close();
  }

  @Test
  void whatIsNotEncryptedYetIsRefused() {
    try (Heap heap = open()) {
      assertThatThrownBy(() -> Backups.in(temp.resolve("backups")).take(heap))
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining("are not: give them a key");
      assertThatThrownBy(() -> heap.region("r", 4096))
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining("regions are not");
    }
  }

  @Test
  void aNewKeyReplacesTheOldOne() {
    fill(10);
    EncryptedDirectory.rekey(heap(), KEY, TestHeaps.key(2));
    assertThatThrownBy(this::open).isInstanceOf(EncryptionException.class);
    try (Heap heap = Heap.builder(heap()).encrypt(TestHeaps.key(2)).open()) {
      assertThat(heap.map("secrets", String.class, String.class).size()).isEqualTo(10);
    }
    assertThatThrownBy(() -> EncryptedDirectory.rekey(heap(), KEY, TestHeaps.key(3)))
        .isInstanceOf(EncryptionException.class);
  }

  /** A service for keys that fails or errs must not cost the heap. */
  @Test
  void aKeyThatCannotBeUnwrappedReplacesNothing() throws IOException {
    fill(10);
    byte[] before = Files.readAllBytes(heap().resolve("keys"));
    KeyProvider forgets = provider((wrapped, key) -> new byte[32], wrapped -> wrapped);
    KeyProvider plain = provider((wrapped, key) -> wrapped, wrapped -> wrapped);
    KeyProvider fails =
        provider(
            (wrapped, key) -> {
              throw new IllegalStateException("no answer");
            },
            wrapped -> wrapped);
    for (KeyProvider bad : List.of(forgets, plain)) {
      assertThatThrownBy(() -> EncryptedDirectory.rekey(heap(), KEY, bad))
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining("Nothing was changed");
      assertThatThrownBy(() -> Heap.builder(temp.resolve("new")).encrypt(bad).open())
          .isInstanceOf(EncryptionException.class);
    }
    assertThatThrownBy(() -> EncryptedDirectory.rekey(heap(), KEY, fails))
        .isInstanceOf(IllegalStateException.class);
    assertThat(Files.readAllBytes(heap().resolve("keys"))).isEqualTo(before);
    fill(20);
    try (Heap heap = Heap.builder(temp.resolve("new")).encrypt(KEY).open()) {
      assertThat(heap.map("m", Integer.class, Integer.class))
          .isEmpty(); // what failed left nothing in the way
    }
  }

  private static KeyProvider provider(BinaryOperator<byte[]> unwrap, UnaryOperator<byte[]> wrap) {
    return new KeyProvider() {
      @Override
      public byte[] wrap(byte[] dataKey, byte[] context) {
        return wrap.apply(dataKey.clone());
      }

      @Override
      public byte[] unwrap(byte[] wrapped, byte[] context) {
        return unwrap.apply(wrapped, context);
      }
    };
  }

  @Test
  void noKeysAreMadeWhereAHeapMustExist() throws IOException {
    Files.createDirectories(heap());
    assertThatThrownBy(() -> Heap.builder(heap()).encrypt(KEY).mustExist().open())
        .isInstanceOf(MissingException.class);
    assertThat(heap().resolve("keys")).doesNotExist();
  }

  @Test
  void aShreddedHeapIsGone() throws IOException {
    fill(10);
    EncryptedDirectory.shred(heap());
    try (Stream<Path> left = Files.walk(heap())) {
      assertThat(left.filter(Files::isRegularFile).map(p -> p.getFileName().toString()))
          .isSubsetOf("lock", "owner");
    }
    assertThatThrownBy(() -> EncryptedDirectory.shred(heap()))
        .isInstanceOf(EncryptionException.class);
  }

  /** A crash came after the keys were destroyed, and after some files were. */
  @Test
  void aShreddingThatWasInterruptedIsRepeated() throws IOException {
    fill(10);
    Files.delete(heap().resolve("keys"));
    Files.delete(heap().resolve("heap.crc"));
    EncryptedDirectory.shred(heap());
    assertThat(heap().resolve("heap")).doesNotExist();
    Path plain = temp.resolve("plain");
    Heap.open(plain).close();
    assertThatThrownBy(() -> EncryptedDirectory.shred(plain))
        .isInstanceOf(EncryptionException.class);
    Heap.builder(plain).mustExist().open().close();
  }

  @Test
  void withoutItsKeysAHeapSaysSo() throws IOException {
    fill(10);
    Files.delete(heap().resolve("keys"));
    assertThatThrownBy(this::open).isInstanceOf(EncryptionException.class);
    assertThatThrownBy(() -> Heap.open(heap())).isInstanceOf(EncryptionException.class);
  }

  @Test
  void aKeyFileThatOthersCanReadIsRefused() throws IOException {
    Path file = temp.resolve("key");
    Files.writeString(file, HexFormat.of().formatHex(new byte[32]) + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> Heap.builder(heap()).encrypt(KeyProvider.file(file)).open())
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("chmod 600");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Heap.builder(heap()).encrypt(KeyProvider.file(file)).open().close();
    Heap.builder(heap()).encrypt(KeyProvider.of(new byte[32])).open().close();
    Heap.builder(heap())
        .encrypt(KeyProvider.command(List.of("cat", file.toString())))
        .open()
        .close();
  }

  @Test
  void whatIsNoKeyIsNotQuoted() throws IOException {
    Path file = temp.resolve("key");
    Files.writeString(file, "abc" + SECRET);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThatThrownBy(() -> Heap.builder(heap()).encrypt(KeyProvider.file(file)).open())
        .isInstanceOf(EncryptionException.class)
        .message()
        .doesNotContain("abc");
    assertThatThrownBy(
            () -> Heap.builder(heap()).encrypt(KeyProvider.environment("NO_SUCH_KEY")).open())
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("is not set");
    assertThatThrownBy(
            () -> Heap.builder(heap()).encrypt(KeyProvider.command(List.of("false"))).open())
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("ended with 1");
  }

  /** Nothing tells a key of another heap from damage to all files. */
  @Test
  void aProviderThatReturnsAnotherDataKeyIsNamedAsAReason() {
    fill(1);
    KeyProvider wrong =
        new KeyProvider() {
          @Override
          public byte[] wrap(byte[] dataKey, byte[] context) {
            return KEY.wrap(dataKey, context);
          }

          @Override
          public byte[] unwrap(byte[] wrapped, byte[] context) {
            return KeyBytes.of(9);
          }
        };
    assertThatThrownBy(() -> Heap.builder(heap()).encrypt(wrong).open())
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("damaged, or the key provider returned another data key");
  }

  /** A provider of another kind, as one that asks a service, sees the context of the heap. */
  @Test
  void anotherProviderCanWrapTheKey() {
    byte[][] seen = new byte[2][];
    KeyProvider service =
        new KeyProvider() {
          @Override
          public byte[] wrap(byte[] dataKey, byte[] context) {
            seen[0] = context;
            byte[] wrapped = dataKey.clone();
            wrapped[0] ^= 1;
            return wrapped;
          }

          @Override
          public byte[] unwrap(byte[] wrapped, byte[] context) {
            seen[1] = context;
            byte[] key = wrapped.clone();
            key[0] ^= 1;
            return key;
          }
        };
    Heap.builder(heap()).encrypt(service).open().close();
    assertThat(seen[1]).isEqualTo(seen[0]);
    assertThat(ByteBuffer.wrap(seen[1]).remaining()).isEqualTo(32);
    assertThat(new String(seen[0], 0, 8, UTF_8)).isEqualTo("EVHPKEYS");
  }
}
