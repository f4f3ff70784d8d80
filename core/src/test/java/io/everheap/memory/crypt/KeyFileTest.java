package io.everheap.memory.crypt;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.CorruptException;
import io.everheap.error.EncryptionException;
import io.everheap.memory.Medium;
import io.everheap.memory.RecordedMedium;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** The file of keys, and key providers that err. */
class KeyFileTest {
  private static final KeyProvider KEY = provider(1);

  private final RecordedMedium files = new RecordedMedium();

  private static KeyProvider provider(int seed) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) seed);
    return KeyProvider.of(bytes);
  }

  /** A provider that uses another one. */
  private static class Service implements KeyProvider {
    private final KeyProvider under = provider(2);

    @Override
    public byte[] wrap(byte[] dataKey, byte[] context) {
      return under.wrap(dataKey, context);
    }

    @Override
    public byte[] unwrap(byte[] wrapped, byte[] context) {
      return under.unwrap(wrapped, context);
    }
  }

  private static KeyProvider unwrapping(UnaryOperator<byte[]> change) {
    return new Service() {
      @Override
      public byte[] unwrap(byte[] wrapped, byte[] context) {
        return change.apply(super.unwrap(wrapped, context));
      }
    };
  }

  private static KeyProvider wrapping(UnaryOperator<byte[]> change) {
    return new Service() {
      @Override
      public byte[] wrap(byte[] dataKey, byte[] context) {
        return change.apply(super.wrap(dataKey, context));
      }
    };
  }

  /** A provider that keeps the keys itself, and returns a text of some length for each. */
  private static KeyProvider vault(int length) {
    byte[][] kept = new byte[1][];
    return new KeyProvider() {
      @Override
      public byte[] wrap(byte[] dataKey, byte[] context) {
        kept[0] = dataKey.clone();
        return new byte[length];
      }

      @Override
      public byte[] unwrap(byte[] wrapped, byte[] context) {
        assertThat(wrapped).hasSize(length);
        return kept[0].clone();
      }
    };
  }

  private KeyFile create(KeyProvider provider) {
    return KeyFile.create(files.open(), provider);
  }

  private byte[] dataKey(KeyProvider provider) {
    Medium medium = files.open();
    return KeyFile.read(medium).dataKey(medium, provider);
  }

  private void rewrap(KeyProvider old, KeyProvider fresh) {
    Medium medium = files.open();
    KeyFile.read(medium).rewrap(medium, old, fresh);
  }

  @Test
  void aNewFileIsDurableBeforeItGetsItsName() {
    create(KEY);
    assertThat(files.changes())
        .containsExactly(
            "delete keys.new",
            "create keys.new",
            "write keys.new 0 96",
            "sync keys.new",
            "rename keys.new keys",
            "syncDirectory ");
    assertThat(files.openFiles()).isZero();
  }

  @Test
  void eachFileHasARandomKeyAndId() {
    List<KeyFile> made = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      made.add(create(KEY));
      keys.add(Arrays.toString(dataKey(KEY)));
    }
    assertThat(keys).doesNotHaveDuplicates().doesNotContain(Arrays.toString(new byte[32]));
    assertThat(made.stream().map(KeyFile::id)).doesNotHaveDuplicates();
    assertThat(made.stream().map(file -> file.id().high())).doesNotHaveDuplicates();
    assertThat(made.stream().map(file -> file.id().low())).doesNotHaveDuplicates();
  }

  @Test
  void whatACrashLeftOfAnEarlierFileIsReplaced() {
    files.put("keys.new", new byte[5000]);
    FileId id = create(KEY).id();
    assertThat(files.names()).containsExactly("keys");
    assertThat(files.bytes("keys")).hasSize(96);
    assertThat(KeyFile.read(files.open()).id()).isEqualTo(id);
  }

  /** The context is the start of the file with a length of zero. */
  @Test
  void aProviderAlwaysGetsTheContextOfTheFile() {
    List<byte[]> contexts = new ArrayList<>();
    KeyProvider listens =
        new Service() {
          @Override
          public byte[] wrap(byte[] dataKey, byte[] context) {
            contexts.add(context.clone());
            return super.wrap(dataKey, context);
          }

          @Override
          public byte[] unwrap(byte[] wrapped, byte[] context) {
            contexts.add(context.clone());
            return super.unwrap(wrapped, context);
          }
        };
    create(listens);
    dataKey(listens);
    rewrap(listens, listens);
    byte[] expected = Arrays.copyOf(files.bytes("keys"), 32);
    assertThat(new String(expected, 0, 8, US_ASCII)).isEqualTo("EVHPKEYS");
    assertThat(expected[12]).isEqualTo((byte) 60);
    Arrays.fill(expected, 12, 16, (byte) 0);
    assertThat(contexts).hasSize(6).allSatisfy(c -> assertThat(c).isEqualTo(expected));
  }

  @Test
  void aKeyOfAnotherFileIsNotUnwrapped() {
    create(KEY);
    byte[] first = files.bytes("keys");
    create(KEY);
    byte[] mixed = files.bytes("keys");
    System.arraycopy(first, 32, mixed, 32, 60);
    files.put("keys", withCrc(mixed));
    assertThatThrownBy(() -> dataKey(KEY)).isInstanceOf(EncryptionException.class);
  }

  @Test
  void anotherWrappingKeyOpensTheSameDataKeyAndTheOldOneNothing() {
    FileId id = create(KEY).id();
    byte[] key = dataKey(KEY);
    KeyProvider fresh = provider(3);
    files.changes();
    rewrap(KEY, fresh);
    assertThat(files.changes())
        .containsExactly(
            "delete keys.new",
            "create keys.new",
            "write keys.new 0 96",
            "sync keys.new",
            "rename keys.new keys",
            "syncDirectory ");
    assertThat(dataKey(fresh)).isEqualTo(key);
    assertThat(KeyFile.read(files.open()).id()).isEqualTo(id);
    assertThatThrownBy(() -> dataKey(KEY)).isInstanceOf(EncryptionException.class);
    rewrap(fresh, fresh);
    assertThat(dataKey(fresh)).isEqualTo(key);
  }

  @Test
  void aCrashLeavesTheOldFileOrTheNewOne() {
    create(KEY);
    byte[] key = dataKey(KEY);
    KeyProvider fresh = provider(3);
    for (String step : List.of("delete", "create", "write", "sync keys", "rename")) {
      files.fail(step);
      assertThatThrownBy(() -> rewrap(KEY, fresh)).hasMessageContaining("made up");
      files.fail("");
      assertThat(dataKey(KEY)).as(step).isEqualTo(key);
    }
    files.fail("syncDirectory");
    assertThatThrownBy(() -> rewrap(KEY, fresh)).hasMessageContaining("made up");
    files.fail("");
    assertThat(dataKey(fresh)).isEqualTo(key);
  }

  /** Providers whose key nobody could unwrap later. */
  private static Map<String, KeyProvider> bad() {
    Map<String, KeyProvider> bad = new LinkedHashMap<>();
    bad.put("plaintext", plaintext());
    bad.put("unwraps a bit that differs", unwrapping(key -> flipped(key, 31)));
    bad.put("unwraps another first bit", unwrapping(key -> flipped(key, 0)));
    bad.put("unwraps one byte less", unwrapping(key -> Arrays.copyOf(key, 31)));
    bad.put("unwraps one byte more", unwrapping(key -> Arrays.copyOf(key, 33)));
    bad.put("unwraps nothing", unwrapping(key -> new byte[0]));
    bad.put("unwraps zeros", unwrapping(key -> new byte[32]));
    bad.put("unwraps null", unwrapping(key -> null));
    bad.put("wraps null", wrapping(wrapped -> null));
    bad.put("wraps too much", wrapping(wrapped -> new byte[KeyProvider.MAX_WRAPPED + 1]));
    bad.put("wraps one byte less", wrapping(wrapped -> Arrays.copyOf(wrapped, 59)));
    bad.put("wraps a bit that differs", wrapping(wrapped -> flipped(wrapped, 40)));
    bad.put("wraps nothing", wrapping(wrapped -> new byte[0]));
    bad.put("throws", wrapping(wrapped -> fail(new IllegalStateException("no answer"))));
    bad.put("an error", wrapping(wrapped -> fail(new StackOverflowError())));
    bad.put("cannot unwrap", unwrapping(key -> fail(new EncryptionException("no answer"))));
    bad.put("returns the first key for ever", firstKey());
    return bad;
  }

  private static KeyProvider plaintext() {
    return new KeyProvider() {
      @Override
      public byte[] wrap(byte[] dataKey, byte[] context) {
        return dataKey.clone();
      }

      @Override
      public byte[] unwrap(byte[] wrapped, byte[] context) {
        return wrapped.clone();
      }
    };
  }

  /** As a service that did not store the new version. */
  private static KeyProvider firstKey() {
    byte[] first = provider(2).wrap(new byte[32], new byte[32]);
    return wrapping(wrapped -> first.clone());
  }

  private static byte[] flipped(byte[] bytes, int at) {
    byte[] changed = bytes.clone();
    changed[at] ^= 1;
    return changed;
  }

  private static byte[] fail(Throwable failure) {
    if (failure instanceof Error e) {
      throw e;
    }
    throw (RuntimeException) failure;
  }

  @Test
  void aProviderThatErrsReplacesNothing() {
    create(KEY);
    Map<String, String> before = files.contents();
    files.changes();
    bad()
        .forEach(
            (what, provider) -> {
              Throwable refused = catchThrowable(() -> rewrap(KEY, provider));
              assertThat(refused).as(what).isNotNull();
              assertThat(files.changes()).as(what).isEmpty();
              assertThat(files.contents()).as(what).isEqualTo(before);
            });
    assertThat(dataKey(KEY)).hasSize(32);
  }

  @Test
  void aProviderThatErrsMakesNoKeys() {
    bad()
        .forEach(
            (what, provider) -> {
              assertThat(catchThrowable(() -> create(provider))).as(what).isNotNull();
              assertThat(files.names()).as(what).isEmpty();
            });
  }

  @Test
  void theMessageSaysWhatTheProviderDid() {
    create(KEY);
    assertThatThrownBy(() -> rewrap(KEY, plaintext()))
        .isInstanceOf(EncryptionException.class)
        .hasMessageStartingWith(
            "The key provider does not encrypt the data key. Nothing was changed.");
    assertThatThrownBy(() -> rewrap(KEY, unwrapping(key -> new byte[32])))
        .isInstanceOf(EncryptionException.class)
        .hasMessageStartingWith(
            "The key provider does not give back what it wrapped. Nothing was changed.");
    assertThatThrownBy(() -> rewrap(KEY, vault(4097)))
        .isInstanceOf(EncryptionException.class)
        .hasMessageStartingWith(
            "The key provider wrapped the data key in 4097 bytes; 4096 are most.");
  }

  /** The old provider may fail as well. */
  @Test
  void aDataKeyOfAnotherLengthIsRefused() {
    create(new Service());
    Map<String, String> before = files.contents();
    for (int length : new int[] {0, 31, 33, 64}) {
      KeyProvider errs = unwrapping(key -> Arrays.copyOf(key, length));
      assertThatThrownBy(() -> dataKey(errs))
          .isInstanceOf(EncryptionException.class)
          .hasMessageStartingWith(
              "The key provider unwrapped /recorded/keys to "
                  + length
                  + " bytes; a data key has 32.");
      assertThatThrownBy(() -> rewrap(errs, KEY)).isInstanceOf(EncryptionException.class);
    }
    assertThatThrownBy(() -> rewrap(KEY, KEY)).isInstanceOf(EncryptionException.class);
    assertThat(files.contents()).isEqualTo(before);
  }

  @Test
  void aWrappedKeyHasAnySizeUpToTheLimit() {
    for (int length : new int[] {0, 1, 32, 4095, 4096}) {
      KeyProvider vault = vault(length);
      create(vault);
      assertThat(files.bytes("keys")).hasSize(32 + length + 4);
      byte[] key = dataKey(vault);
      rewrap(vault, KEY);
      assertThat(dataKey(KEY)).as("of %s bytes", length).isEqualTo(key);
    }
  }

  /** A careful provider erases what it was given; a careless one uses an array again. */
  @Test
  void aProviderMayEraseTheArraysThatItGot() {
    KeyProvider erases =
        new Service() {
          @Override
          public byte[] wrap(byte[] dataKey, byte[] context) {
            byte[] wrapped = super.wrap(dataKey, context);
            Arrays.fill(dataKey, (byte) 0);
            Arrays.fill(context, (byte) 0);
            return wrapped;
          }

          @Override
          public byte[] unwrap(byte[] wrapped, byte[] context) {
            byte[] key = super.unwrap(wrapped, context);
            Arrays.fill(wrapped, (byte) 0);
            Arrays.fill(context, (byte) 0);
            return key;
          }
        };
    create(KEY);
    byte[] key = dataKey(KEY);
    rewrap(KEY, erases);
    assertThat(dataKey(new Service())).isEqualTo(key);
    Medium medium = files.open();
    KeyFile read = KeyFile.read(medium);
    assertThat(read.dataKey(medium, erases)).isEqualTo(key);
    assertThat(read.dataKey(medium, erases)).as("once more").isEqualTo(key);
    read.rewrap(medium, erases, KEY);
    assertThat(dataKey(KEY)).isEqualTo(key);
  }

  /** Such a key would be that of no heap: the heap would be lost with the old file of keys. */
  @Test
  void aProviderThatErasesTheKeyBeforeItWrapsItReplacesNothing() {
    KeyProvider erases =
        new Service() {
          @Override
          public byte[] wrap(byte[] dataKey, byte[] context) {
            Arrays.fill(dataKey, (byte) 0);
            return super.wrap(dataKey, context);
          }
        };
    create(KEY);
    byte[] key = dataKey(KEY);
    assertThatThrownBy(() -> rewrap(KEY, erases))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("Nothing was changed");
    assertThat(dataKey(KEY)).isEqualTo(key);
  }

  @Test
  void whatAProviderDoesWithItsOwnArrayAfterwardsChangesNothing() {
    byte[] buffer = new byte[60];
    KeyProvider reuses =
        new Service() {
          @Override
          public byte[] wrap(byte[] dataKey, byte[] context) {
            System.arraycopy(super.wrap(dataKey, context), 0, buffer, 0, 60);
            return buffer;
          }

          @Override
          public byte[] unwrap(byte[] wrapped, byte[] context) {
            byte[] key = super.unwrap(wrapped, context);
            Arrays.fill(buffer, (byte) 0);
            return key;
          }
        };
    create(KEY);
    byte[] key = dataKey(KEY);
    rewrap(KEY, reuses);
    assertThat(dataKey(new Service())).isEqualTo(key);
  }

  @Test
  void whatAProviderDoesWithAKeyThatItReturnedChangesNothing() {
    List<byte[]> returned = new ArrayList<>();
    KeyProvider keeps =
        unwrapping(
            key -> {
              returned.add(key);
              return key;
            });
    create(keeps);
    byte[] key = dataKey(keeps);
    byte[] before = key.clone();
    returned.forEach(kept -> Arrays.fill(kept, (byte) 9));
    assertThat(key).isEqualTo(before);
  }

  /** A provider that returns one array again and again returns an erased key: all can guess it. */
  @Test
  void aKeyOfZerosIsRefused() {
    byte[][] cached = new byte[1][];
    KeyProvider caches =
        unwrapping(
            key -> {
              cached[0] = cached[0] == null ? key : cached[0];
              return cached[0];
            });
    create(caches);
    assertThatThrownBy(() -> dataKey(caches))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("/recorded/keys to zeros: it must return another array each time");
    assertThat(dataKey(new Service())).isNotEqualTo(new byte[32]);
    KeyProvider almost = unwrapping(key -> flipped(new byte[32], 31));
    assertThat(dataKey(almost)).containsOnly(0, 1);
  }

  /** It stays in the memory of the process otherwise. */
  @Test
  void keysThatAreNoLongerNeededAreErased() {
    List<byte[]> given = new ArrayList<>();
    List<byte[]> returned = new ArrayList<>();
    KeyProvider listens =
        new Service() {
          @Override
          public byte[] wrap(byte[] dataKey, byte[] context) {
            given.add(dataKey);
            return super.wrap(dataKey, context);
          }

          @Override
          public byte[] unwrap(byte[] wrapped, byte[] context) {
            byte[] key = super.unwrap(wrapped, context);
            returned.add(key);
            return key;
          }
        };
    create(listens);
    rewrap(listens, listens);
    assertThat(given).hasSize(2).allSatisfy(key -> assertThat(key).containsOnly(0));
    assertThat(returned).hasSize(3).allSatisfy(key -> assertThat(key).containsOnly(0));
    byte[] tooLong = new byte[33];
    Arrays.fill(tooLong, (byte) 7);
    assertThatThrownBy(() -> dataKey(unwrapping(key -> tooLong)))
        .isInstanceOf(EncryptionException.class);
    assertThat(tooLong).containsOnly(0);
  }

  @Test
  void eachDamagedByteIsNoticed() {
    create(KEY);
    byte[] whole = files.bytes("keys");
    for (int at = 0; at < whole.length; at++) {
      files.put("keys", flipped(whole, at));
      String message =
          at < 8
              ? "is not a file of keys"
              : at < 12 ? "has version" : "keys is damaged. Restore it";
      Class<?> type = at >= 8 && at < 12 ? EncryptionException.class : CorruptException.class;
      assertThatThrownBy(() -> KeyFile.read(files.open()))
          .as("byte %s", at)
          .isInstanceOf(type)
          .hasMessageContaining("/recorded/keys")
          .hasMessageContaining(message);
    }
    for (int length = 0; length < whole.length; length++) {
      files.put("keys", Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> KeyFile.read(files.open()))
          .as("%s bytes", length)
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining(length < 32 ? "is not a file of keys" : "is damaged");
    }
    files.put("keys", whole);
    assertThat(dataKey(KEY)).hasSize(32);
  }

  /** With checksums that are right, so that only the length is wrong. */
  @Test
  void aForgedLengthIsRefused() {
    create(KEY);
    byte[] whole = files.bytes("keys");
    for (int length : new int[] {-4, -5, -32, 61, 4097, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      byte[] forged = Arrays.copyOf(whole, 96);
      ByteBuffer b = ByteBuffer.wrap(forged).order(ByteOrder.LITTLE_ENDIAN).putInt(12, length);
      if (length < 0 && length >= -16) {
        b.putInt(32 + length, crc(forged, 32 + length));
      }
      files.put("keys", forged);
      assertThatThrownBy(() -> KeyFile.read(files.open()))
          .as("length %s", length)
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("is damaged");
    }
  }

  private static byte[] withCrc(byte[] file) {
    ByteBuffer.wrap(file)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(file.length - 4, crc(file, file.length - 4));
    return file;
  }

  private static int crc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  @Test
  void aDestroyedFileIsOverwrittenFirst() {
    create(KEY);
    files.put("keys.new", new byte[9000]);
    byte[] before = files.bytes("keys");
    files.changes();
    KeyFile.destroy(files.open());
    assertThat(files.changes())
        .containsExactly(
            "write keys 0 96",
            "sync keys",
            "delete keys",
            "write keys.new 0 8192",
            "sync keys.new",
            "delete keys.new",
            "syncDirectory ");
    assertThat(files.names()).isEmpty();
    assertThat(files.openFiles()).isZero();
    files.put("keys", before);
    files.fail("delete");
    assertThatThrownBy(() -> KeyFile.destroy(files.open())).hasMessageContaining("made up");
    byte[] noise = files.bytes("keys");
    int same = 0;
    for (int i = 0; i < 96; i++) {
      same += noise[i] == before[i] ? 1 : 0;
    }
    assertThat(same).as("bytes that are as before").isLessThan(20);
    assertThat(Arrays.copyOf(noise, 16)).as("random").isNotEqualTo(new byte[16]);
  }

  @Test
  void whereThereAreNoKeysNothingIsDestroyed() {
    files.put("other", new byte[10]);
    KeyFile.destroy(files.open());
    assertThat(files.changes()).containsExactly("syncDirectory ");
    assertThat(files.names()).containsExactly("other");
  }

  @Test
  void onlyTwoNamesAreThoseOfKeys() {
    assertThat(KeyFile.isKeyFile("keys")).isTrue();
    assertThat(KeyFile.isKeyFile("keys.new")).isTrue();
    assertThat(KeyFile.isKeyFile("keys.old")).isFalse();
    assertThat(KeyFile.isKeyFile("heap")).isFalse();
  }
}
