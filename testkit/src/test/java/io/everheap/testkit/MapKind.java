package io.everheap.testkit;

import io.everheap.Heap;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;

/**
 * The maps that are crashed. In the model all keys and values are numbers; a kind says how they
 * look in the heap, so that one model checks words, texts and large values.
 */
enum MapKind {
  /** Keys and values are words. */
  NUMBERS {
    @Override
    View view(Heap heap) {
      return new TypedView<>(
          heap.map("numbers", Long.class, Long.class),
          Function.identity(),
          Function.identity(),
          Function.identity(),
          Function.identity());
    }
  },
  /** Keys and values are short texts of several lengths. */
  TEXTS {
    @Override
    View view(Heap heap) {
      return new TypedView<>(
          heap.map("texts", String.class, String.class),
          key -> "key " + key,
          text -> Long.valueOf(text.substring(4)),
          value -> value + " " + "x".repeat((int) (value % 97)),
          text -> {
            long value = Long.parseLong(text.substring(0, text.indexOf(' ')));
            check(text.equals(value + " " + "x".repeat((int) (value % 97))), text);
            return value;
          });
    }
  },
  /** Values are arrays of up to some ten thousand bytes. */
  ARRAYS {
    @Override
    View view(Heap heap) {
      return new TypedView<>(
          heap.map("arrays", Long.class, byte[].class),
          Function.identity(),
          Function.identity(),
          MapKind::array,
          bytes -> {
            long value = 0;
            for (int i = 0; i < 8; i++) {
              value = value << 8 | (bytes[i] & 0xFF);
            }
            check(Arrays.equals(bytes, array(value)), "array of " + value);
            return value;
          });
    }
  };

  abstract View view(Heap heap);

  private static byte[] array(long value) {
    var random = new Random(value);
    int size = 8 + (random.nextInt(6) == 0 ? random.nextInt(40_000) : random.nextInt(300));
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    for (int i = 0; i < 8; i++) {
      bytes[i] = (byte) (value >>> (56 - 8 * i));
    }
    return bytes;
  }

  private static void check(boolean good, String what) {
    if (!good) {
      throw new AssertionError("damaged value: " + what);
    }
  }

  /** A map of the heap in the numbers of the model. */
  interface View {
    void put(long key, long value);

    void remove(long key);

    void replace(long key, long value);

    void putIfAbsent(long key, long value);

    void add(long key, long value);

    void clear();

    Map<Long, Long> contents();
  }

  private static final class TypedView<K, V> implements View {
    private final Map<K, V> map;
    private final Function<Long, K> key;
    private final Function<K, Long> keyBack;
    private final Function<Long, V> value;
    private final Function<V, Long> valueBack;

    TypedView(
        Map<K, V> map,
        Function<Long, K> key,
        Function<K, Long> keyBack,
        Function<Long, V> value,
        Function<V, Long> valueBack) {
      this.map = map;
      this.key = key;
      this.keyBack = keyBack;
      this.value = value;
      this.valueBack = valueBack;
    }

    @Override
    public void put(long k, long v) {
      map.put(key.apply(k), value.apply(v));
    }

    @Override
    public void remove(long k) {
      map.remove(key.apply(k));
    }

    @Override
    public void replace(long k, long v) {
      map.replace(key.apply(k), value.apply(v));
    }

    @Override
    public void putIfAbsent(long k, long v) {
      map.putIfAbsent(key.apply(k), value.apply(v));
    }

    @Override
    public void add(long k, long v) {
      map.merge(
          key.apply(k),
          value.apply(v),
          (old, more) -> value.apply(valueBack.apply(old) + valueBack.apply(more)));
    }

    @Override
    public void clear() {
      map.clear();
    }

    @Override
    public Map<Long, Long> contents() {
      Map<Long, Long> found = new java.util.TreeMap<>();
      for (Map.Entry<K, V> entry : map.entrySet()) {
        V again = map.get(entry.getKey());
        long number = valueBack.apply(entry.getValue());
        check(again != null && valueBack.apply(again) == number, "get of " + entry.getKey());
        found.put(keyBack.apply(entry.getKey()), number);
      }
      check(found.size() == map.size(), "size " + map.size() + " of " + found);
      return found;
    }
  }
}
