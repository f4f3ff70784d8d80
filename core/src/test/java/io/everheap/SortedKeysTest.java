package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableSortedMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The nastiest texts and bytes are in the order of the JDK, and found by what they begin with. */
class SortedKeysTest {
  /** U+0000, ASCII, one that UTF-8 and UTF-16 order differently, and halves of surrogate pairs. */
  private static final String LETTERS = "\0\1a\177\200\u07ff\u0800\uffff\ud800\udbff\udc00\udfff";

  private static final int KEYS = 4000;

  private static String text(Random random) {
    int length = random.nextInt(random.nextInt(30) + 1);
    StringBuilder text = new StringBuilder(random.nextBoolean() ? "a common beginning" : "");
    for (int i = 0; i < length; i++) {
      text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return text.toString();
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[random.nextInt(random.nextInt(24) + 1)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (random.nextInt(4) * 0x7f);
    }
    return bytes;
  }

  private static <K> void follow(
      DurableSortedMap<K, Long> map, NavigableMap<K, Long> model, Function<Random, K> keys) {
    Random random = new Random(11);
    for (long i = 0; i < KEYS; i++) {
      K key = keys.apply(random);
      assertThat(map.put(key, i)).isEqualTo(model.put(key, i));
      if (i % 3 == 0) {
        K other = keys.apply(random);
        assertThat(map.remove(other)).isEqualTo(model.remove(other));
      }
    }
    assertSame(map, model);
    assertSame(map.descendingMap(), model.descendingMap());
    for (int i = 0; i < 300; i++) {
      K key = keys.apply(random);
      assertThat(map.get(key)).isEqualTo(model.get(key));
      assertThat(map.lowerKey(key)).isEqualTo(model.lowerKey(key));
      assertThat(map.floorKey(key)).isEqualTo(model.floorKey(key));
      assertThat(map.ceilingKey(key)).isEqualTo(model.ceilingKey(key));
      assertThat(map.higherKey(key)).isEqualTo(model.higherKey(key));
      assertSame(map.tailMap(key, false), model.tailMap(key, false));
    }
  }

  private static <K> void assertSame(Map<K, Long> map, Map<K, Long> model) {
    assertThat(new ArrayList<>(map.values())).isEqualTo(new ArrayList<>(model.values()));
    assertThat(shown(map.keySet())).isEqualTo(shown(model.keySet()));
  }

  /** Bytes as text, for lists compare their elements with equals. */
  private static List<Object> shown(Collection<?> keys) {
    return keys.stream()
        .<Object>map(key -> key instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : key)
        .toList();
  }

  @Test
  void textsAreInTheOrderOfCompareTo() {
    try (Heap heap = Heap.inMemory()) {
      DurableSortedMap<String, Long> map = heap.sortedMap("map", String.class, Long.class);
      NavigableMap<String, Long> model = new TreeMap<>();
      follow(map, model, SortedKeysTest::text);
      List<String> beginnings = new ArrayList<>(List.of("", "a", "a common beginning"));
      model.keySet().stream()
          .limit(500)
          .forEach(key -> beginnings.add(key.substring(key.length() / 2)));
      for (String beginning : beginnings) {
        List<String> wanted =
            model.keySet().stream().filter(key -> key.startsWith(beginning)).toList();
        assertThat(new ArrayList<>(map.prefixMap(beginning).keySet())).isEqualTo(wanted);
        assertThat(new ArrayList<>(map.prefixMap(beginning).descendingMap().keySet()))
            .isEqualTo(wanted.reversed());
      }
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  private static boolean begins(byte[] key, byte[] beginning) {
    return key.length >= beginning.length
        && Arrays.equals(key, 0, beginning.length, beginning, 0, beginning.length);
  }

  @Test
  void bytesAreInTheOrderOfUnsignedNumbers() {
    try (Heap heap = Heap.inMemory()) {
      DurableSortedMap<byte[], Long> map = heap.sortedMap("map", byte[].class, Long.class);
      NavigableMap<byte[], Long> model = new TreeMap<>(Arrays::compareUnsigned);
      follow(map, model, SortedKeysTest::bytes);
      for (byte[] beginning : new byte[][] {{}, {0}, {0x7f, (byte) 0xfe}, {(byte) 0xff}}) {
        List<byte[]> wanted =
            model.keySet().stream().filter(key -> begins(key, beginning)).toList();
        assertThat(shown(map.prefixMap(beginning).keySet())).isEqualTo(shown(wanted));
      }
    }
  }
}
