package io.everheap.engine.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.TooLargeException;
import io.everheap.support.Seeds;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriteSetTest {
  private final WriteSet writes = new WriteSet(1 << 24);

  @Test
  void aWordThatWasNotStoredIsNotFound() {
    writes.put(Stripes.NONE, 64, 1);
    assertThat(writes.find(72)).isEqualTo(-1);
    assertThat(writes.find(128)).isEqualTo(-1);
    assertThat(writes.word(writes.find(64))).isEqualTo(1);
  }

  @Test
  void behavesLikeAMapUnderRandomStoresAndNestedRollbacks() {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      Map<Long, Long> model = new HashMap<>();
      Deque<Map<Long, Long>> saved = new ArrayDeque<>();
      Deque<WriteSet.Savepoint> savepoints = new ArrayDeque<>();
      for (int i = 0; i < 3000; i++) {
        int what = random.nextInt(100);
        if (what < 90) {
          long address = 8L * random.nextInt(2000);
          writes.put(random.nextInt(100), address, i);
          model.put(address, (long) i);
        } else if (what < 94 && saved.size() < 6) {
          saved.push(new HashMap<>(model));
          savepoints.push(writes.savepoint(0));
        } else if (!saved.isEmpty()) {
          Map<Long, Long> before = saved.pop();
          if (what < 97) {
            writes.rollbackTo(savepoints.pop());
            model = before;
          } else {
            writes.release(savepoints.pop());
          }
        }
      }
      for (long address = 0; address < 16_000; address += 8) {
        int found = writes.find(address);
        Long stored = found < 0 ? null : (Long) writes.word(found);
        assertThat(stored).as("seed %d address %d", seed, address).isEqualTo(model.get(address));
      }
      writes.clear();
      assertThat(writes.isEmpty()).isTrue();
      assertThat(writes.find(64)).isEqualTo(-1);
    }
  }

  @Test
  void collectsEachStripeOnce() {
    writes.put(5, 64, 1);
    writes.put(5, 128, 1);
    writes.put(8191, 192, 1);
    writes.put(Stripes.NONE, 256, 1);
    assertThat(java.util.Arrays.copyOf(writes.stripes(), writes.stripeCount()))
        .containsExactly(5, 8191);
    writes.clear();
    writes.put(5, 64, 1);
    assertThat(writes.stripeCount()).isEqualTo(1);
  }

  @Test
  void refusesToRememberMoreInsideSavepointsThanAsManyWordsAsItMayHold() {
    WriteSet small = new WriteSet(64 * 64);
    small.put(Stripes.NONE, 0, -1);
    WriteSet.Savepoint savepoint = small.savepoint(0);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 10_000; i++) {
                small.put(Stripes.NONE, 0, i);
              }
            })
        .isInstanceOf(TooLargeException.class)
        .hasMessageContaining("(EH-TX-TOO-LARGE)");
    small.rollbackTo(savepoint);
    assertThat(small.word(small.find(0))).isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 9, 10, 63, 64, 65, 200})
  void findsEachOfFewAndOfManyLinesAndForgetsThemAll(int lines) {
    WriteSet writes = new WriteSet(1 << 20);
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < lines; i++) {
        writes.put(Stripes.NONE, i * 640L, i);
        writes.put(Stripes.NONE, i * 640L + 8, -i);
      }
      assertThat(writes.lineCount()).isEqualTo(lines);
      for (int i = 0; i < lines; i++) {
        assertThat(writes.word(writes.find(i * 640L))).isEqualTo(i);
        assertThat(writes.word(writes.find(i * 640L + 8))).isEqualTo(-i);
        assertThat(writes.find(i * 640L + 16)).isNegative();
        assertThat(writes.find(i * 640L + 64)).isNegative();
      }
      writes.clear();
      assertThat(writes.find(0)).isNegative();
    }
  }

  @Test
  void refusesMoreLinesThanItsLimitAndKeepsWhatItHas() {
    WriteSet small = new WriteSet(64 * 64);
    for (int i = 0; i < 64; i++) {
      small.put(Stripes.NONE, i * 64L, i);
    }
    assertThatThrownBy(() -> small.put(Stripes.NONE, 64 * 64, 1))
        .isInstanceOf(TooLargeException.class)
        .hasMessageContaining("(EH-TX-TOO-LARGE)");
    assertThat(small.word(small.find(63 * 64))).isEqualTo(63);
  }

  @Test
  void isEmptyAgainAfterALargeTransaction() {
    for (int i = 0; i < 100_000; i++) {
      writes.put(Stripes.NONE, i * 64L, i);
    }
    writes.clear();
    assertThat(writes.lineCount()).isZero();
    assertThat(writes.find(64)).isEqualTo(-1);
    writes.put(Stripes.NONE, 64, 7);
    assertThat(writes.word(writes.find(64))).isEqualTo(7);
  }

  @Test
  void aTransactionAfterALargeOneHasOnlyItsOwnWords() {
    for (int i = 0; i < 70_000; i++) {
      for (int word = 0; word < 8; word++) {
        writes.put(Stripes.NONE, i * 64L + 8L * word, i);
      }
      writes.setLogged(writes.find(i * 64L));
    }
    writes.clear();
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 200; i++) {
        writes.put(Stripes.NONE, i * 6400L, i);
        assertThat(writes.mask(i)).isEqualTo(1);
        assertThat(writes.unloggedMask(i)).isEqualTo(1);
        assertThat(writes.lineAddress(i)).isEqualTo(i * 6400L);
      }
      for (int i = 0; i < 200; i++) {
        assertThat(writes.word(writes.find(i * 6400L))).isEqualTo(i);
        assertThat(writes.find(i * 6400L + 8)).isNegative();
        assertThat(writes.find(i * 6400L + 64)).isNegative();
      }
      assertThat(writes.lineCount()).isEqualTo(200);
      writes.clear();
    }
  }

  @Test
  void loggedWordsAreThoseOfOneTransaction() {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 3; i++) {
        for (int word = 0; word < 8; word++) {
          writes.put(Stripes.NONE, 64L * i + 8L * word, 1);
        }
        assertThat(writes.unloggedMask(i)).isEqualTo(0xff);
      }
      writes.setLogged(writes.find(64 + 56));
      assertThat(writes.unloggedMask(0)).isEqualTo(0xff);
      assertThat(writes.unloggedMask(1)).isEqualTo(0x7f);
      writes.setLogged(writes.find(64));
      assertThat(writes.unloggedMask(1)).isEqualTo(0x7e);
      assertThat(writes.mask(1)).isEqualTo(0xff);
      assertThat(writes.unloggedMask(2)).isEqualTo(0xff);
      writes.clear();
    }
  }

  @Test
  void fillsAreKeptInTheirOrderAndRolledBack() {
    for (int round = 0; round < 2; round++) {
      assertThat(writes.isEmpty()).isTrue();
      for (int i = 0; i < 100; i++) {
        writes.fill(64L * i, 8 * i + 8, i + 1, -i);
        assertThat(writes.fillCount()).isEqualTo(i + 1);
      }
      assertThat(writes.isEmpty()).isFalse();
      assertThat(writes.lineCount()).isZero();
      WriteSet.Savepoint savepoint = writes.savepoint(0);
      writes.fill(0, 8, 1, 1);
      writes.rollbackTo(savepoint);
      assertThat(writes.fillCount()).isEqualTo(100);
      for (int i = 0; i < 100; i++) {
        assertThat(writes.fillAddress(i)).isEqualTo(64L * i);
        assertThat(writes.fillStride(i)).isEqualTo(8 * i + 8);
        assertThat(writes.fillTimes(i)).isEqualTo(i + 1);
        assertThat(writes.fillValue(i)).isEqualTo(-i);
      }
      writes.clear();
    }
  }

  @Test
  void aWriteSetIsNotEmptyWithALineOnly() {
    assertThat(writes.isEmpty()).isTrue();
    writes.put(Stripes.NONE, 0, 0);
    assertThat(writes.isEmpty()).isFalse();
    assertThat(writes.fillCount()).isZero();
  }

  @Test
  void manyStripesAreCollectedOnceEach() {
    for (int round = 0; round < 2; round++) {
      for (int pass = 0; pass < 2; pass++) {
        for (int stripe = Stripes.COUNT - 1; stripe >= 0; stripe -= 3) {
          writes.touch(stripe);
        }
      }
      int count = (Stripes.COUNT + 2) / 3;
      assertThat(writes.stripeCount()).isEqualTo(count);
      assertThat(java.util.Arrays.stream(writes.stripes(), 0, count).distinct().count())
          .isEqualTo(count);
      assertThat(writes.stripes()[0]).isEqualTo(Stripes.COUNT - 1);
      writes.clear();
      assertThat(writes.stripeCount()).isZero();
    }
  }

  @Test
  void bytesOfALineReplaceTheirWordsAndAreRolledBack() {
    byte[] src = new byte[80];
    for (int i = 0; i < src.length; i++) {
      src[i] = (byte) (i + 1);
    }
    for (int first = 0; first < 8; first++) {
      for (int words = 1; words <= 8 - first; words++) {
        writes.put(Stripes.NONE, 640, -1);
        writes.put(Stripes.NONE, 128 + 8, -2);
        writes.put(Stripes.NONE, 1280, -3);
        WriteSet.Savepoint savepoint = writes.savepoint(0);
        writes.set(writes.line(2), first, words, src, 3);
        for (int word = 0; word < 8; word++) {
          int found = writes.find(128 + 8L * word);
          if (word >= first && word < first + words) {
            assertThat(writes.word(found)).isEqualTo(word(src, 3 + 8 * (word - first)));
          } else if (word == 1) {
            assertThat(writes.word(found)).isEqualTo(-2);
          } else {
            assertThat(found).isNegative();
          }
        }
        assertThat(writes.isTorn()).isFalse();
        writes.rollbackTo(savepoint);
        assertThat(writes.mask(1)).isEqualTo(2);
        assertThat(writes.word(writes.find(128 + 8))).isEqualTo(-2);
        assertThat(writes.mask(0)).as("the line before").isEqualTo(1);
        assertThat(writes.mask(2)).as("the line after").isEqualTo(1);
        writes.clear();
      }
    }
  }

  @Test
  void asManyStripesAsFitAreForgotten() {
    for (int round = 0; round < 2; round++) {
      for (int stripe = 0; stripe < 64; stripe++) {
        writes.touch(stripe);
      }
      assertThat(writes.stripeCount()).isEqualTo(64);
      writes.clear();
    }
  }

  @Test
  void manySmallTransactionsHaveTheirOwnLinesOnly() {
    Random random = new Random(Seeds.seed());
    for (int round = 0; round < 3000; round++) {
      Map<Long, Long> model = new HashMap<>();
      for (int i = random.nextInt(25); i >= 0; i--) {
        long address = 64L * random.nextInt(60);
        writes.put(Stripes.NONE, address, round);
        model.put(address, (long) round);
        assertThat(writes.lineCount()).isEqualTo(model.size());
      }
      for (int line = 0; line < 60; line++) {
        assertThat(writes.find(64L * line) >= 0).isEqualTo(model.containsKey(64L * line));
      }
      writes.clear();
    }
  }

  private static long word(byte[] src, int at) {
    return java.nio.ByteBuffer.wrap(src).order(java.nio.ByteOrder.LITTLE_ENDIAN).getLong(at);
  }

  @Test
  void anInterruptedStoreOfBytesTearsUntilTheEnd() {
    assertThat(writes.isTorn()).isFalse();
    for (int lines : new int[] {0, 5, 20}) {
      for (int i = 0; i < lines; i++) {
        writes.put(Stripes.NONE, 640L * i, i);
      }
      assertThat(writes.isTorn()).isFalse();
      assertThatThrownBy(() -> writes.set(writes.line(1), 0, 2, new byte[9], 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(writes.isTorn()).isTrue();
      writes.clear();
      assertThat(writes.isTorn()).isFalse();
      for (int i = 0; i < 20; i++) {
        writes.put(Stripes.NONE, 64L * i + 56, i);
        assertThat(writes.mask(i)).isEqualTo(0x80);
        assertThat(writes.find(64L * i)).isNegative();
      }
      for (int i = 0; i < 20; i++) {
        assertThat(writes.word(writes.find(64L * i + 56))).isEqualTo(i);
      }
      writes.clear();
    }
  }

  @Test
  void nothingIsRememberedOutsideOfSavepoints() {
    WriteSet small = new WriteSet(64);
    small.put(Stripes.NONE, 0, -1);
    storeOften(small); // outside
    WriteSet.Savepoint outer = small.savepoint(0);
    WriteSet.Savepoint inner = small.savepoint(0);
    small.put(Stripes.NONE, 0, -2);
    small.release(inner);
    assertThatThrownBy(() -> storeOften(small))
        .isInstanceOf(TooLargeException.class)
        .hasMessageContaining("(EH-TX-TOO-LARGE)");
    small.rollbackTo(outer);
    assertThat(small.word(small.find(0))).isEqualTo(999);
    storeOften(small);
    small.release(small.savepoint(0));
    storeOften(small);
    small.savepoint(0);
    small.clear();
    storeOften(small); // a savepoint ends with its transaction
  }

  private static void storeOften(WriteSet writes) {
    for (int i = 0; i < 1000; i++) {
      writes.put(Stripes.NONE, 0, i);
    }
  }

  @Test
  void theLimitsAreNamedInTheException() {
    WriteSet small = new WriteSet(64 * 64);
    WriteSet.Savepoint savepoint = small.savepoint(0);
    assertThatThrownBy(
            () -> {
              for (int i = 0; ; i++) {
                small.put(Stripes.NONE, 0, i);
              }
            })
        .hasMessageContaining("needs 4096 bytes of log, more than its limit of 4096");
    small.rollbackTo(savepoint);
    assertThatThrownBy(
            () -> {
              for (int i = 0; ; i++) {
                small.put(Stripes.NONE, i * 64L, i);
              }
            })
        .hasMessageContaining("needs 4096 bytes of log, more than its limit of 4096");
  }

  @Test
  void aRangeWithoutLinesIsRecognized() {
    assertThat(writes.hasAny(0, 1000)).isFalse();
    for (int lines : new int[] {1, 30}) {
      for (int i = 1; i <= lines; i++) {
        writes.put(Stripes.NONE, i * 640L + 24, i);
      }
      for (int i = 1; i <= lines; i++) {
        long line = i * 640L;
        assertThat(writes.hasAny(line + 63, 1)).isTrue();
        assertThat(writes.hasAny(line - 64, 64)).isFalse();
        assertThat(writes.hasAny(line - 64, 65)).isTrue();
        assertThat(writes.hasAny(line - 200, 600)).isTrue();
        assertThat(writes.hasAny(line + 64, 500)).isFalse();
      }
      writes.clear();
    }
  }
}
