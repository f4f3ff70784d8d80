package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

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
}
