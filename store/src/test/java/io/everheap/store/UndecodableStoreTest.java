package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.collection.Undecodable;
import io.everheap.error.CorruptValueException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of a store that this program cannot decode are found, replaced and removed. */
class UndecodableStoreTest {
  private static final int ENTRIES = 40;

  /** Whether the program is one that does not decode the bad values. */
  private static boolean later;

  /** A record whose constructor refuses what it accepted when it was stored. */
  record Amount(int number) {
    Amount {
      if (later && number < 0) {
        throw new IllegalArgumentException("negative");
      }
    }
  }

  @TempDir private Path directory;

  @AfterEach
  void reset() {
    later = false;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theyAreFoundInAllShardsReplacedAndRemoved(boolean sorted) {
    try (ShardedStore store = ShardedStore.builder(directory).shards(3).open()) {
      ShardedMap<Integer, Amount> map =
          sorted
              ? store.sortedMap("map", Integer.class, Amount.class)
              : store.map("map", Integer.class, Amount.class);
      for (int i = 0; i < ENTRIES; i++) {
        map.put(i, new Amount(i % 4 == 0 ? -i - 1 : i));
      }
      later = true;
      assertThatThrownBy(() -> map.get(0)).isInstanceOf(CorruptValueException.class);
      List<Integer> found = new ArrayList<>();
      Iterator<Undecodable> all = map.undecodable();
      assertThatIllegalStateException().isThrownBy(all::remove);
      while (all.hasNext()) {
        Undecodable each = all.next();
        int key = (Integer) each.position();
        assertThat(each.bytes()).isNotEmpty();
        assertThat(each.reason()).hasRootCauseMessage("negative");
        found.add(key);
        if (key >= 20) {
          all.remove();
        }
      }
      assertThat(found).containsExactlyInAnyOrder(0, 4, 8, 12, 16, 20, 24, 28, 32, 36);
      assertThat(map.sizeLong()).isEqualTo(ENTRIES - 5);
      for (int key = 0; key < 20; key += 4) {
        map.set(key, new Amount(7));
      }
      assertThat(map.undecodable().hasNext()).isFalse();
      assertThat(map.get(16)).isEqualTo(new Amount(7));
      assertThat(map.get(36)).isNull();
    }
  }
}
