package io.everheap.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SamplingTest {
  private static final List<String> IDS =
      IntStream.range(0, 10_000).mapToObj(i -> "io.X.method" + i / 7 + "()V Math " + i).toList();

  @Test
  void aShareOfOneTakesAll() {
    assertThat(chosen(1, "c1", Set.of(), Set.of())).isEqualTo(IDS);
  }

  @Test
  void aSampleFollowsFromTheSelection() {
    List<String> one = chosen(10, "c1", Set.of(), Set.of());
    List<String> other = chosen(10, "c2", Set.of(), Set.of());
    assertThat(one).hasSizeBetween(850, 1150).isEqualTo(chosen(10, "c1", Set.of(), Set.of()));
    assertThat(other).hasSizeBetween(850, 1150);
    assertThat(one.stream().filter(other::contains)).hasSizeBetween(50, 160);
  }

  @Test
  void whatIsFinishedIsNotRunAgain() {
    Set<String> finished = Set.copyOf(IDS.subList(0, 9_990));
    assertThat(chosen(1, "c1", Set.of(), finished)).isEqualTo(IDS.subList(9_990, 10_000));
  }

  @Test
  void whatIsWantedIsRunWhateverTheShare() {
    Set<String> wanted = Set.copyOf(IDS.subList(3, 6));
    assertThat(chosen(10, "c1", wanted, wanted)).isEqualTo(IDS.subList(3, 6));
  }

  private static List<String> chosen(
      int share, String selection, Set<String> wanted, Set<String> finished) {
    Sampling sampling = new Sampling(share, selection, wanted, finished, (name, ids) -> Set.of());
    return IDS.stream().filter(sampling::isChosen).toList();
  }
}
