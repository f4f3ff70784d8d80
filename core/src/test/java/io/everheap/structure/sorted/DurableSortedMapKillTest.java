package io.everheap.structure.sorted;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.codec.Codecs;
import io.everheap.collection.DurableSortedMap;
import io.everheap.structure.common.Definition;
import io.everheap.structure.map.MapHeap;
import io.everheap.support.tier.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What a sorted map holds survives kills and reopens between any two operations. */
@Processes
class DurableSortedMapKillTest {
  /** Steps of one process and the way it ends. */
  record Life(List<SortedModel.Step> steps, boolean killed) {}

  @Provide
  Arbitrary<List<Life>> lives() {
    return Combinators.combine(new DurableSortedMapModelTest().steps(), Arbitraries.of(true, false))
        .as(Life::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(4);
  }

  @Property(tries = 10)
  void mapsOfWordsSurvive(@ForAll("lives") List<Life> lives) throws IOException {
    survive(lives, SortedTypes.natural(Codecs.LONG, Codecs.LONG), i -> (long) i, i -> i * 3L);
  }

  @Property(tries = 10)
  void mapsOfBytesSurvive(@ForAll("lives") List<Life> lives) throws IOException {
    survive(
        lives,
        SortedTypes.natural(Codecs.STRING, Codecs.STRING),
        i -> "a common beginning " + i,
        i -> "v".repeat(i * 20));
  }

  private static <K, V> void survive(
      List<Life> lives, SortedTypes<K, V> types, IntFunction<K> key, IntFunction<V> value)
      throws IOException {
    Definition<DurableSortedMap<K, V>> definition = SortedKind.MAP.definition(types);
    Path directory = Files.createTempDirectory("everheap-sorted-map");
    try {
      Path current = directory.resolve("0");
      NavigableMap<K, V> expected = new TreeMap<>();
      MapHeap heap = MapHeap.inFiles(current);
      DurableSortedMap<K, V> map = heap.make(definition);
      for (int i = 0; i < lives.size(); i++) {
        SortedModel<K, V> model = new SortedModel<>(heap, map, expected, key, value);
        lives.get(i).steps().forEach(model::apply);
        model.endTransactions();
        expected = model.expected();
        if (lives.get(i).killed()) {
          Path next = directory.resolve(Integer.toString(i + 1));
          MapHeap survivor = MapHeap.afterKill(current, next);
          heap.close();
          heap = survivor;
          current = next;
        } else {
          heap.close();
          heap = MapHeap.inFiles(current);
        }
        map = heap.root(definition);
        assertThat(new ArrayList<>(map.entrySet())).isEqualTo(new ArrayList<>(expected.entrySet()));
        heap.check();
      }
      heap.close();
    } finally {
      delete(directory);
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
