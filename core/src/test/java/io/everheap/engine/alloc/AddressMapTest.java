package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class AddressMapTest {
  @Property(tries = 50)
  void behavesLikeAHashMap(@ForAll long seed) {
    Random random = new Random(seed);
    AddressMap map = new AddressMap();
    Map<Long, Integer> model = new HashMap<>();
    for (int i = 0; i < 2000; i++) {
      long key = 16L * (1 + random.nextInt(300));
      switch (random.nextInt(i % 500 == 499 ? 5 : 4)) {
        case 0, 1 -> {
          map.put(key, i);
          model.put(key, i);
        }
        case 2, 3 -> {
          map.remove(key);
          model.remove(key);
        }
        default -> {
          map.clear();
          model.clear();
        }
      }
      assertThat(map.isEmpty()).isEqualTo(model.isEmpty());
    }
    for (long key = 16; key <= 16 * 300; key += 16) {
      assertThat(map.get(key, -1)).isEqualTo(model.getOrDefault(key, -1));
    }
  }

  @Test
  void aClearedMapHasNoEntry() {
    AddressMap map = new AddressMap();
    for (int round = 0; round < 3; round++) {
      for (long key = 16; key < 16 * 40; key += 16) {
        assertThat(map.get(key, -7)).isEqualTo(-7);
        map.put(key, (int) key);
        map.put(key, (int) key + 1);
        assertThat(map.get(key, -7)).isEqualTo((int) key + 1);
      }
      assertThat(map.isEmpty()).isFalse();
      map.clear();
      assertThat(map.isEmpty()).isTrue();
    }
    map.remove(16);
    assertThat(map.isEmpty()).isTrue();
  }
}
