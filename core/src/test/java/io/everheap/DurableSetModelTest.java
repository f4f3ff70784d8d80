package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.collection.DurableSet;
import io.everheap.engine.HeapCopy;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;

/**
 * Random operations, alone and in transactions, do to a durable set what they do to a HashSet; also
 * after reopening, and after a kill.
 */
@Campaign
class DurableSetModelTest {
  enum Kind {
    ADD,
    REMOVE,
    ADD_ALL,
    REMOVE_ALL,
    RETAIN_ALL,
    REMOVE_IF,
    ITERATOR_REMOVE,
    CLEAR,
    UNDONE,
    REOPEN,
    KILL
  }

  /** One operation. */
  record Step(Kind kind, int key, int count) {}

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Kind> kinds =
        Arbitraries.frequencyOf(
            net.jqwik.api.Tuple.of(20, Arbitraries.just(Kind.ADD)),
            net.jqwik.api.Tuple.of(5, Arbitraries.just(Kind.ADD_ALL)),
            net.jqwik.api.Tuple.of(20, Arbitraries.of(Kind.class)));
    return Combinators.combine(
            kinds, Arbitraries.integers().between(0, 300), Arbitraries.integers().between(1, 200))
        .as(Step::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(60)
        .withSizeDistribution(RandomDistribution.uniform());
  }

  @Property(tries = 15)
  void setsOfWordsFollowTheModel(@ForAll("steps") List<Step> steps) throws IOException {
    follow(steps, Codecs.LONG, i -> (long) i * i);
  }

  @Property(tries = 15)
  void setsOfBytesFollowTheModel(@ForAll("steps") List<Step> steps) throws IOException {
    follow(steps, Codecs.STRING, i -> "e".repeat(i % 50) + i);
  }

  private static <E> void follow(List<Step> steps, Codec<E> codec, IntFunction<E> element)
      throws IOException {
    Path directory = Files.createTempDirectory("set");
    int copies = 0;
    Heap heap = TestHeaps.open(directory.resolve("heap0"));
    try {
      DurableSet<E> set = heap.set("set", codec);
      Set<E> model = new HashSet<>();
      for (Step step : steps) {
        if (step.kind() == Kind.REOPEN || step.kind() == Kind.KILL) {
          Path from = directory.resolve("heap" + copies);
          Path to = directory.resolve("heap" + ++copies);
          if (step.kind() == Kind.REOPEN) {
            heap.close();
          }
          HeapCopy.killed(from, to);
          heap.close();
          heap = TestHeaps.open(to);
          set = heap.set("set", codec);
        } else if (step.kind() == Kind.UNDONE) {
          undo(heap, set, model, step, element);
        } else {
          apply(set, model, step, element);
        }
        assertThat(set.size()).isEqualTo(model.size());
        E one = element.apply(step.key());
        assertThat(set.contains(one)).isEqualTo(model.contains(one));
      }
      assertThat(set).isEqualTo(model);
      assertThat(set.hashCode()).isEqualTo(model.hashCode());
      assertThat(set.parallelStream().collect(Collectors.toSet())).isEqualTo(model);
      assertThat(heap.verify().problems()).isEmpty();
    } finally {
      heap.close();
      delete(directory);
    }
  }

  private static <E> void undo(
      Heap heap, DurableSet<E> set, Set<E> model, Step step, IntFunction<E> element) {
    try {
      heap.transact(
          () -> {
            Set<E> scratch = new HashSet<>(model);
            for (Kind kind : List.of(Kind.ADD_ALL, Kind.REMOVE_IF, Kind.CLEAR, Kind.ADD)) {
              apply(set, scratch, new Step(kind, step.key(), step.count()), element);
              assertThat(set).isEqualTo(scratch);
            }
            throw new IllegalStateException("undone");
          });
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage("undone");
    }
  }

  private static <E> void apply(
      DurableSet<E> set, Set<E> model, Step step, IntFunction<E> element) {
    E one = element.apply(step.key());
    List<E> some =
        IntStream.range(step.key(), step.key() + step.count()).mapToObj(element).toList();
    switch (step.kind()) {
      case ADD -> assertThat(set.add(one)).isEqualTo(model.add(one));
      case REMOVE -> assertThat(set.remove(one)).isEqualTo(model.remove(one));
      case ADD_ALL -> assertThat(set.addAll(some)).isEqualTo(model.addAll(some));
      case REMOVE_ALL -> assertThat(set.removeAll(some)).isEqualTo(model.removeAll(some));
      case RETAIN_ALL ->
          assertThat(set.retainAll(new HashSet<>(some))).isEqualTo(model.retainAll(some));
      case REMOVE_IF ->
          assertThat(set.removeIf(e -> e.hashCode() % 3 == 0))
              .isEqualTo(model.removeIf(e -> e.hashCode() % 3 == 0));
      case ITERATOR_REMOVE -> {
        for (Iterator<E> i = set.iterator(); i.hasNext(); ) {
          E next = i.next();
          assertThat(model).contains(next);
          if (next.hashCode() % 5 == 0) {
            i.remove();
            model.remove(next);
          }
        }
      }
      case CLEAR -> {
        set.clear();
        model.clear();
      }
      default -> throw new IllegalArgumentException(step.kind().name());
    }
  }

  private static void delete(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
