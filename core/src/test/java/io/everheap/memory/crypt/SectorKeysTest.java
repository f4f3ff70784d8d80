package io.everheap.memory.crypt;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.memory.crypt.SectorKeys.Salt;
import io.everheap.memory.crypt.SectorKeys.Series;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Salts and counters: no nonce is used twice for a key. */
class SectorKeysTest {
  private static final long MAX = 1L << 40;
  private static final FileId FILE = new FileId(1, 2);

  private final SectorKeys keys = new SectorKeys(key());

  private static byte[] key() {
    byte[] key = new byte[32];
    key[0] = 9;
    return key;
  }

  @Test
  void aSaltIsReplacedWhenItsCounterIsUsedUp() {
    Series first = keys.current();
    first.count().set(MAX - 1);
    assertThat(keys.current()).isSameAs(first);
    first.count().set(MAX);
    Series second = keys.current();
    assertThat(second.salt()).isNotEqualTo(first.salt());
    assertThat(second.key()).isNotEqualTo(first.key());
    assertThat(second.count().get()).isZero();
    assertThat(keys.current()).isSameAs(second);
    assertThat(keys.key(first.salt())).isEqualTo(first.key());
    assertThat(keys.key(second.salt())).isEqualTo(second.key());
    assertThat(keys.kept()).as("both are kept").isEqualTo(2);
  }

  @Test
  void theLastSectorsOfASaltAndTheFirstOfTheNextAreRead() {
    SectorCipher cipher = new SectorCipher(keys);
    keys.current().count().set(MAX - 2);
    byte[] plain = new byte[SealedLayout.PAYLOAD];
    Set<String> nonces = new HashSet<>();
    for (int number = 0; number < 6; number++) {
      plain[0] = (byte) number;
      byte[] sector = new byte[SealedLayout.SECTOR];
      cipher.seal(FILE, number, plain, sector, 0);
      nonces.add(Words.get(sector, 0) + " " + Words.get(sector, 8) + " " + Words.get(sector, 16));
      byte[] found = new byte[SealedLayout.PAYLOAD];
      assertThat(cipher.open(FILE, number, sector, 0, found)).isTrue();
      assertThat(found).isEqualTo(plain);
    }
    assertThat(nonces).hasSize(6);
  }

  @Test
  void eachOpeningDrawsAnotherSaltThatIsNotZero() {
    Set<Salt> salts = new HashSet<>();
    Set<Long> high = new HashSet<>();
    Set<Long> low = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      Salt salt = new SectorKeys(key()).current().salt();
      assertThat(salt.low() & 1).isOne();
      salts.add(salt);
      high.add(salt.high());
      low.add(salt.low());
    }
    assertThat(salts).hasSize(50);
    assertThat(high).hasSize(50);
    assertThat(low).hasSize(50);
  }

  @Test
  void onlyZerosAreNoSalt() {
    assertThat(new Salt(0, 0).isZero()).isTrue();
    assertThat(new Salt(1, 0).isZero()).isFalse();
    assertThat(new Salt(0, 1).isZero()).isFalse();
    assertThat(new Salt(3, 5).isZero()).isFalse();
    assertThat(new Salt(1, 2).isZero()).isFalse();
  }

  @Test
  void eachSaltHasAnotherKeyAndEachDataKeyToo() {
    assertThat(keys.key(new Salt(1, 2))).isEqualTo(new SectorKeys(key()).key(new Salt(1, 2)));
    assertThat(keys.key(new Salt(1, 2)))
        .isNotEqualTo(keys.key(new Salt(2, 1)))
        .isNotEqualTo(keys.key(new Salt(1, 3)))
        .isNotEqualTo(keys.key(new Salt(0, 2)))
        .isNotEqualTo(new SectorKeys(new byte[32]).key(new Salt(1, 2)));
    assertThat(keys.derivedKey("a")).isNotEqualTo(keys.derivedKey("b"));
  }

  @Test
  void aKeyIsDerivedOnceIfASectorIsAuthentic() {
    int before = keys.kept();
    Salt salt = new Salt(5, 6);
    var key = keys.key(salt);
    assertThat(keys.kept()).isEqualTo(before);
    keys.keep(salt, key);
    assertThat(keys.key(salt)).isSameAs(key);
    keys.keep(salt, keys.key(salt));
    assertThat(keys.kept()).isEqualTo(before + 1);
  }

  @Test
  void allIsErasedWhenItIsClosed() {
    byte[] dataKey = key();
    SectorKeys closed = new SectorKeys(dataKey);
    closed.keep(new Salt(5, 6), closed.key(new Salt(5, 6)));
    closed.close();
    assertThat(dataKey).containsOnly(0);
    assertThat(closed.kept()).isZero();
  }
}
