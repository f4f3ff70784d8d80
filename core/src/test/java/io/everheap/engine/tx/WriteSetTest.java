package io.everheap.engine.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.TransactionTooLargeException;
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
        .isInstanceOf(TransactionTooLargeException.class);
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
        .isInstanceOf(TransactionTooLargeException.class);
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
}
