package io.everheap.structure.map;

import static io.everheap.collection.TestCodecs.LONG;
import static io.everheap.collection.TestCodecs.STRING;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableMap;
import io.everheap.support.tier.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What a map holds survives kills and reopens between any two operations. */
@Processes
class DurableMapKillTest {
  /** How a process ends. */
  enum End {
    KILL,
    CLOSE
  }

  /** Steps of one process and the way it ends. */
  record Life(List<DurableMapModelTest.Step> steps, End end) {}

  @Provide
  Arbitrary<List<Life>> lives() {
    return Combinators.combine(new DurableMapModelTest().steps(), Arbitraries.of(End.class))
        .as(Life::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(4);
  }

  @Property(tries = 15)
  void mapsOfWordsSurvive(@ForAll("lives") List<Life> lives) throws IOException {
    survive(lives, LONG, LONG, i -> (long) i, i -> i * 3L);
  }

  @Property(tries = 15)
  void mapsOfBytesSurvive(@ForAll("lives") List<Life> lives) throws IOException {
    survive(lives, STRING, STRING, i -> "key " + i, i -> "v".repeat(i * 20));
  }

  private static <K, V> void survive(
      List<Life> lives,
      Codec<K> keys,
      Codec<V> values,
      Function<Integer, K> key,
      Function<Integer, V> value)
      throws IOException {
    Path directory = Files.createTempDirectory("everheap-map");
    try {
      Path current = directory.resolve("0");
      Map<K, V> expected = new HashMap<>();
      MapHeap heap = MapHeap.inFiles(current);
      heap.rootMap(keys, values);
      for (int i = 0; i < lives.size(); i++) {
        DurableMap<K, V> map = heap.root(keys, values);
        MapModel<K, V> model = new MapModel<>(heap, map, expected);
        lives.get(i).steps().forEach(step -> model.apply(step, key, value));
        model.endTransactions();
        expected = model.expected();
        if (lives.get(i).end() == End.KILL) {
          Path next = directory.resolve(Integer.toString(i + 1));
          MapHeap survivor = MapHeap.afterKill(current, next);
          heap.close();
          heap = survivor;
          current = next;
        } else {
          heap.close();
          heap = MapHeap.inFiles(current);
        }
        assertThat(new HashMap<>(heap.root(keys, values))).isEqualTo(expected);
        heap.check();
      }
      heap.close();
    } finally {
      delete(directory);
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
