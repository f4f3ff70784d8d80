package io.everheap.structure.map;

import static io.everheap.collection.TestCodecs.LONG;
import static io.everheap.collection.TestCodecs.STRING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.collection.DurableMap;
import io.everheap.support.Limit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each change is a transaction, or a part of one that can be undone alone. */
class DurableMapTransactionTest {
  private final MapHeap heap = MapHeap.inMemory();
  private final DurableMap<String, String> map = heap.map(STRING, STRING);

  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @AfterEach
  void close() {
    heap.close();
  }

  @Test
  void otherThreadsSeeNothingOfARunningTransactionAndAllOfACommittedOne() throws Exception {
    map.put("a", "old");
    heap.transact(
        () -> {
          map.put("a", "new");
          map.put("b", "new");
          assertThat(elsewhere()).isEqualTo(Map.of("a", "old"));
          return true;
        });
    assertThat(elsewhere()).isEqualTo(Map.of("a", "new", "b", "new"));
  }

  private Map<String, String> elsewhere() {
    AtomicReference<Map<String, String>> seen = new AtomicReference<>();
    Thread reader = Thread.ofPlatform().start(() -> seen.set(Map.copyOf(map)));
    try {
      Limit.join(reader);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return seen.get();
  }

  @Test
  void anExceptionOfAFunctionUndoesThatCallOnly() {
    heap.transact(
        () -> {
          map.put("before", "1");
          assertThatThrownBy(
                  () ->
                      map.compute(
                          "key",
                          (k, v) -> {
                            map.put("inside", "2");
                            throw new Refused();
                          }))
              .isInstanceOf(Refused.class);
          map.put("after", "3");
          return true;
        });
    assertThat(map).isEqualTo(Map.of("before", "1", "after", "3"));
  }

  @Test
  void anExceptionInTheMiddleOfReplaceAllUndoesAllOfIt() {
    for (int i = 0; i < 100; i++) {
      map.put("key " + i, "old");
    }
    int[] calls = {0};
    assertThatThrownBy(
            () ->
                map.replaceAll(
                    (k, v) -> {
                      if (++calls[0] == 50) {
                        throw new Refused();
                      }
                      return "new";
                    }))
        .isInstanceOf(Refused.class);
    assertThat(map.values()).containsOnly("old");
  }

  @Test
  void putAllIsAllOrNothing() {
    Map<String, String> entries = new LinkedHashMap<>();
    entries.put("a", "1");
    entries.put("b", null);
    assertThatThrownBy(() -> map.putAll(entries)).isInstanceOf(NullPointerException.class);
    assertThat(map).isEmpty();
  }

  @Test
  void removeIfIsAllOrNothing() {
    map.putAll(Map.of("a", "1", "b", "2", "c", "3"));
    int[] calls = {0};
    assertThatThrownBy(
            () ->
                map.entrySet()
                    .removeIf(
                        e -> {
                          if (++calls[0] == 3) {
                            throw new Refused();
                          }
                          return true;
                        }))
        .isInstanceOf(Refused.class);
    assertThat(map).hasSize(3);
  }

  @Test
  void functionsMayUseTheMapTheyWorkFor() {
    assertThat(
            map.computeIfAbsent(
                "key",
                k -> {
                  for (int i = 0; i < 1000; i++) {
                    map.put("other " + i, "x");
                  }
                  return "mine";
                }))
        .isEqualTo("mine");
    assertThat(
            map.computeIfAbsent(
                "twice",
                k -> {
                  map.put("twice", "from inside");
                  return "from the function";
                }))
        .isEqualTo("from inside");
    assertThat(
            map.compute(
                "key",
                (k, v) -> {
                  map.remove("key");
                  map.keySet().removeIf(other -> other.startsWith("other"));
                  return v + "!";
                }))
        .isEqualTo("mine!");
    assertThat(
            map.computeIfPresent(
                "key",
                (k, v) -> {
                  map.clear();
                  return null;
                }))
        .isNull();
    assertThat(map).isEmpty();
    assertThat(map.merge("key", "1", (a, b) -> a + b)).isEqualTo("1");
    assertThat(
            map.merge(
                "key",
                "2",
                (a, b) -> {
                  map.put("key", "x".repeat(1000));
                  return a + b;
                }))
        .isEqualTo("12");
    assertThat(map).isEqualTo(Map.of("key", "12"));
  }

  @Test
  void replaceAllSkipsWhatItsFunctionRemoves() {
    map.putAll(Map.of("a", "1", "b", "2", "c", "3"));
    map.replaceAll(
        (k, v) -> {
          if (k.equals("b")) {
            map.remove("b");
          }
          return v + v;
        });
    assertThat(map).isEqualTo(Map.of("a", "11", "c", "33"));
  }

  @Test
  void severalMapsChangeTogether() {
    DurableMap<Long, Long> other = heap.map(LONG, LONG);
    heap.transact(
        () -> {
          map.put("a", "1");
          other.put(1L, 1L);
          return false;
        });
    assertThat(List.of(map.size(), other.size())).containsExactly(0, 0);
    heap.transact(
        () -> {
          map.put("a", "1");
          other.put(1L, 1L);
          return true;
        });
    assertThat(List.of(map.size(), other.size())).containsExactly(1, 1);
  }

  @Test
  void aFunctionRunsOnceHoweverOftenItsReadersTry() {
    int[] calls = {0};
    map.compute(
        "key",
        (k, v) -> {
          calls[0]++;
          return "value";
        });
    assertThat(calls[0]).isEqualTo(1);
  }

  @Test
  void readsInsideAViewSeeOneState() throws Exception {
    map.put("a", "0");
    map.put("b", "0");
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 1; i <= 2000; i++) {
                    String value = Integer.toString(i);
                    heap.transact(
                        () -> {
                          map.put("a", value);
                          map.put("b", value);
                          return true;
                        });
                  }
                });
    try {
      while (writer.isAlive()) {
        List<String> both =
            heap.engine()
                .transactions()
                .read(() -> List.of(map.get("a"), map.values().iterator().next(), map.get("b")));
        assertThat(both.get(0)).isEqualTo(both.get(2)).isEqualTo(both.get(1));
      }
    } finally {
      Limit.join(writer);
    }
  }
}
