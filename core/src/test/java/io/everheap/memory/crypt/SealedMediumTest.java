package io.everheap.memory.crypt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.EncryptionException;
import io.everheap.memory.ChangedMedium;
import io.everheap.memory.DurableWrite;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.MemoryMedium;
import io.everheap.memory.RecordedMedium;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** What an encrypted medium opens, creates and refuses. */
class SealedMediumTest {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);

  private final RecordedMedium files = new RecordedMedium();

  private SealedMedium open() {
    return SealedMedium.open(files.open(), KEY);
  }

  private static KeyProvider other() {
    byte[] key = new byte[32];
    key[31] = 1;
    return KeyProvider.of(key);
  }

  @Test
  void anEmptyMediumGetsKeysOnce() {
    open().close();
    byte[] keys = files.bytes("keys");
    open().close();
    assertThat(files.bytes("keys")).isEqualTo(keys);
    assertThat(files.names()).containsExactly("keys");
    assertThatThrownBy(() -> SealedMedium.open(files.open(), other()))
        .isInstanceOf(EncryptionException.class);
    assertThat(files.bytes("keys")).isEqualTo(keys);
  }

  @Test
  void theFilesOfALockAreNotInTheWay() {
    for (String name : List.of("lock", "owner", "keys.new")) {
      files.put(name, new byte[3]);
    }
    open().close();
    assertThat(files.names()).containsExactly("keys", "lock", "owner");
  }

  @Test
  void whatIsNotEncryptedIsNamed() {
    for (String name : List.of("heap", "journal", "store")) {
      files.put(name, new byte[3]);
      assertThatThrownBy(this::open)
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining("The " + name + " at /recorded is not encrypted");
      assertThat(files.names()).containsExactly(name);
      files.remove(name);
    }
    for (String name : List.of("thesis", "heap.crc", "locks", "keys.old")) {
      files.put(name, new byte[3]);
      assertThatThrownBy(this::open)
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining("no file of keys but other files (" + name + ")");
      assertThat(files.names()).containsExactly(name);
      files.remove(name);
    }
    open().close();
  }

  @Test
  void nothingIsCreatedWhereOnlyReadingIsAllowed() {
    files.readOnly(true);
    assertThatThrownBy(this::open)
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("Nothing is encrypted in /recorded.");
    assertThat(files.names()).isEmpty();
    files.readOnly(false);
    open().close();
    files.readOnly(true);
    try (SealedMedium medium = open()) {
      assertThat(medium.readOnly()).isTrue();
    }
  }

  @Test
  void byteAddressableStorageIsRefused() {
    try (MemoryMedium memory = new MemoryMedium()) {
      assertThatThrownBy(() -> SealedMedium.open(memory, KEY))
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining("memory is on byte-addressable storage (memory)");
      assertThat(memory.list("")).isEmpty();
      SealedMedium.requireFiles(memory, null);
      SealedMedium.requireFiles(files.open(), KEY);
      assertThatThrownBy(() -> EntrySealer.open(List.of(memory), KEY))
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining("byte-addressable");
    }
  }

  @Test
  void withoutAKeyTheMediumIsAsItIsUnlessItHasKeys() {
    Medium plain = files.open();
    assertThat(SealedMedium.with(plain, null)).isSameAs(plain);
    assertThat(files.changes()).isEmpty();
    try (Medium sealed = SealedMedium.with(plain, KEY)) {
      assertThat(sealed.encrypted()).isTrue();
    }
    files.changes();
    assertThatThrownBy(() -> SealedMedium.with(plain, null))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("The files in /recorded are encrypted: give their key");
    assertThat(files.changes()).as("closed").containsExactly("abandon");
    assertThatThrownBy(() -> SealedMedium.with(plain, other()))
        .isInstanceOf(EncryptionException.class);
    assertThat(files.changes()).containsExactly("abandon");
    assertThatThrownBy(() -> SealedMedium.open(plain, other()))
        .isInstanceOf(EncryptionException.class);
    assertThat(files.changes()).as("open() leaves it open").isEmpty();
  }

  @Test
  void withNotesWhatIsRefused() {
    try (SealedMedium medium = open()) {
      medium.create("f").close();
    }
    byte[] bytes = files.bytes("f");
    bytes[0]++;
    files.put("f", bytes);
    List<String> refused = new ArrayList<>();
    try (Medium medium =
            SealedMedium.with(files.open(), KEY, (name, at, reason) -> refused.add(name));
        MediumFile file = medium.open("f")) {
      assertThat(file.size()).isZero();
    }
    assertThat(refused).containsExactly("/recorded/f");
  }

  @Test
  void theKeysAreNotListed() {
    try (SealedMedium medium = open()) {
      medium.create("a").close();
      medium.create("log/keys").close();
      medium.create("log/1").close();
      files.put("keys.new", new byte[1]);
      assertThat(medium.list("")).containsExactly("a");
      assertThat(medium.list("log")).containsExactly("1", "keys");
      assertThat(medium.exists("a")).isTrue();
      assertThat(medium.exists("b")).isFalse();
    }
  }

  @Test
  void itIsTheMediumUnderItOtherwise() {
    try (SealedMedium medium = open()) {
      files.changes();
      assertThat(medium.name()).isEqualTo("file");
      assertThat(medium.location()).isEqualTo("/recorded");
      assertThat(medium.byteAddressable()).isFalse();
      assertThat(medium.encrypted()).isTrue();
      assertThat(medium.readOnly()).isFalse();
      assertThat(medium.probeDurableWrite()).isEqualTo(DurableWrite.FDATASYNC);
      medium.create("a").close();
      medium.rename("a", "b");
      medium.delete("b");
      medium.syncDirectory("log");
      assertThat(files.changes())
          .containsExactly(
              "create a", "write a 0 4096", "rename a b", "delete b", "syncDirectory log");
      assertThat(medium.loose("counters", ByteBuffer.allocate(1))).isNull();
    }
    assertThat(files.changes()).containsExactly("close");
  }

  @Test
  void whatTheMediumUnderItChecksIsChecked() {
    List<String> asked = new ArrayList<>();
    Medium under = ChangedMedium.of(files.open(), (operation, arguments) -> asked.add(operation));
    try (SealedMedium medium = SealedMedium.open(under, KEY)) {
      asked.clear();
      medium.requireIntact();
      medium.watch(() -> {}, failure -> {}).close();
      assertThat(asked).containsExactly("requireIntact", "watch");
    }
  }

  /** Shared mappings are lost with the process, so no other opening may expect them. */
  @Test
  void eachOpeningIsAnotherIncarnation() {
    try (SealedMedium first = open();
        SealedMedium second = open()) {
      assertThat(first.incarnation())
          .isEqualTo(first.incarnation())
          .isNotEqualTo(second.incarnation())
          .isNotEqualTo(files.open().incarnation());
    }
  }

  @Test
  void eachPurposeHasAKeyThatAnOpeningDoesNotChange() {
    byte[] root;
    try (SealedMedium medium = open()) {
      root = medium.derivedKey("heap.root");
      assertThat(root).hasSize(32);
      assertThat(medium.derivedKey("heap.root")).isEqualTo(root);
      assertThat(medium.derivedKey("heap.roo")).isNotEqualTo(root);
    }
    try (SealedMedium medium = open()) {
      assertThat(medium.derivedKey("heap.root")).isEqualTo(root);
    }
    files.remove("keys");
    files.remove("lock");
    try (SealedMedium medium = open()) {
      assertThat(medium.derivedKey("heap.root")).as("another data key").isNotEqualTo(root);
    }
  }

  @Test
  void anEncryptedFileIsKnownByItsStart() {
    try (SealedMedium medium = open()) {
      medium.create("f").close();
    }
    files.put("zeros", new byte[4096]);
    files.put("short", Arrays.copyOf(files.bytes("f"), 7));
    files.put("magic", Arrays.copyOf(files.bytes("f"), 8));
    Medium under = files.open();
    assertThat(SealedMedium.hasSealed(under, "f")).isTrue();
    assertThat(SealedMedium.hasSealed(under, "magic")).isTrue();
    assertThat(SealedMedium.hasSealed(under, "zeros")).isFalse();
    assertThat(SealedMedium.hasSealed(under, "short")).isFalse();
    assertThat(SealedMedium.hasSealed(under, "none")).isFalse();
    assertThat(files.openFiles()).isZero();
    try (MediumFile file = under.open("f");
        MediumFile zeros = under.open("zeros")) {
      assertThatThrownBy(() -> SealedMedium.requirePlain(under, file))
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining("/recorded/f is encrypted: give its key");
      SealedMedium.requirePlain(under, zeros);
      files.remove("keys");
      assertThatThrownBy(() -> SealedMedium.requirePlain(under, file))
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining("the file keys there, which has their data key, is missing");
    }
  }

  @Test
  void whatIsEncryptedIsCopiedToWhatIsEncryptedOnly() {
    RecordedMedium plainFiles = new RecordedMedium();
    try (SealedMedium sealed = open();
        Medium plain = plainFiles.open()) {
      SealedMedium.requireAsSecret(sealed, sealed);
      SealedMedium.requireAsSecret(plain, sealed);
      SealedMedium.requireAsSecret(plain, plain);
      assertThatThrownBy(() -> SealedMedium.requireAsSecret(sealed, plain))
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining("is encrypted, and the backups in");
    }
  }

  @Test
  void aFileThatCannotBeBegunIsClosed() {
    try (SealedMedium medium = open()) {
      files.fail("write f");
      assertThatThrownBy(() -> medium.create("f")).hasMessageContaining("made up");
      assertThat(files.openFiles()).isZero();
      files.fail("");
      files.put("g", "no header of an encrypted file, which has more bytes".getBytes(UTF_8));
      assertThatThrownBy(() -> medium.open("g")).hasMessageContaining("has no header");
      assertThat(files.openFiles()).isZero();
    }
  }

  @Test
  void twoFilesOfOneNameSeeEachOthersChanges() {
    List<BiFunction<Medium, String, MediumFile>> ways =
        List.of(Medium::open, (medium, name) -> medium.openLog(name, DurableWrite.FDATASYNC));
    try (SealedMedium medium = open();
        MediumFile file = medium.create("f")) {
      for (BiFunction<Medium, String, MediumFile> way : ways) {
        try (MediumFile same = way.apply(medium, "f")) {
          same.write(ByteBuffer.wrap(new byte[] {5}), 4500);
          ByteBuffer found = ByteBuffer.allocate(1);
          assertThat(file.read(found, 4500)).isOne();
          assertThat(found.get(0)).isEqualTo((byte) 5);
        }
      }
    }
  }

  @Test
  void theDataKeyIsErasedWhenItIsClosed() {
    byte[] dataKey = new byte[32];
    Arrays.fill(dataKey, (byte) 3);
    Sealer sealer = new Sealer("here", new FileId(1, 2), dataKey, Refusal.THROW);
    sealer.close();
    assertThat(dataKey).containsOnly(0);
    byte[] another = new byte[32];
    Arrays.fill(another, (byte) 3);
    EntrySealer entries = new EntrySealer(another);
    entries.close();
    assertThat(another).containsOnly(0);
    SealedMedium medium = open();
    byte[] derived = medium.derivedKey("heap.root");
    medium.close();
    assertThat(medium.derivedKey("heap.root")).isNotEqualTo(derived);
  }

  @Test
  void headersHaveRandomIdsAndThatOfTheKey() {
    try (Sealer sealer = new Sealer("here", new FileId(1, 2), new byte[32], Refusal.THROW)) {
      FileHeader first = sealer.newHeader(1);
      FileHeader second = sealer.newHeader(1);
      assertThat(first.key()).isEqualTo(new FileId(1, 2));
      assertThat(first.file().high()).isNotEqualTo(second.file().high());
      assertThat(first.file().low()).isNotEqualTo(second.file().low());
      assertThat(sealer.has(first)).isTrue();
      assertThat(sealer.has(new FileHeader(1, new FileId(1, 3), first.file()))).isFalse();
      assertThat(sealer.has(new FileHeader(1, new FileId(2, 2), first.file()))).isFalse();
    }
  }
}
